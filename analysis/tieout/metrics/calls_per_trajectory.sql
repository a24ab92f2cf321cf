-- title: Calls a trajectory
-- says: Provider calls that a trajectory requires, reused ones included, averaged over trajectories
-- unit: calls
-- denominator: trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, opening
SELECT count(c.case_id) AS numerator, count(DISTINCT t.case_id) AS denominator
FROM trajectories AS t
LEFT JOIN calls AS c ON c.case_id = t.case_id
