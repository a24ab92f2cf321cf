-- title: Logical provider calls
-- says: Provider calls that the trajectories require, a reused call counted in each
-- unit: calls
-- combine: sum
-- source: part-ii, section VII
SELECT count(*) AS count
FROM calls
