-- title: Memory cap by rank
-- says: The memory cap with place k among the different caps of the trajectories, smallest first
-- unit: tokens
-- combine: sum
-- cases: {table: trajectories}
-- params: {k: {type: integer, minimum: 1}}
-- source: part-ii, section III
SELECT min(cap) AS count
FROM (SELECT cap, dense_rank() OVER (ORDER BY cap) AS place FROM trajectories) AS ranked
WHERE place = :k
