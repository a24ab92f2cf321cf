-- title: Acceptance
-- says: Share of answerable trajectories whose answer the online verifier and the structural gate accepted
-- unit: answers
-- denominator: answerable trajectories
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- source: part-ii, section I
SELECT count(*) FILTER (WHERE accepted) AS numerator, count(*) AS denominator
FROM trajectories
WHERE answerable
