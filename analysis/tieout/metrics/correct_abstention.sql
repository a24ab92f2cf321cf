-- title: Correct abstention
-- says: Share of trajectories on unsupported premises that abstained correctly
-- unit: answers
-- denominator: trajectories whose question has an unsupported premise
-- combine: ratio
-- cases: {table: trajectories, where: NOT answerable}
-- source: part-ii, section V
SELECT count(*) FILTER (WHERE correct_abstention) AS numerator, count(*) AS denominator
FROM trajectories
WHERE NOT answerable
