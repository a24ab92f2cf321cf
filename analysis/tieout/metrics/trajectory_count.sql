-- title: Trajectories
-- says: Trajectories recorded
-- unit: trajectories
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section III
SELECT count(*) AS count
FROM trajectories
