-- title: Albums
-- says: Different albums asked about
-- unit: albums
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section II
SELECT count(DISTINCT album) AS count
FROM trajectories
