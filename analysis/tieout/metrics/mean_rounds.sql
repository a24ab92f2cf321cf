-- title: Rounds
-- says: Budget levels that a trajectory visited, averaged over trajectories
-- unit: rounds
-- denominator: trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, section III
SELECT sum(rounds) AS numerator, count(*) AS denominator
FROM trajectories
