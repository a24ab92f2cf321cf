-- title: Budget level by rank
-- says: The memory cap with place k among the different caps of the trajectories' rounds, smallest first
-- unit: tokens
-- combine: sum
-- cases: {table: trajectories}
-- params: {k: {type: integer, minimum: 1}}
-- source: part-ii, section III
SELECT min(cap) AS count
FROM (
    SELECT r.cap AS cap, dense_rank() OVER (ORDER BY r.cap) AS place
    FROM rounds AS r
    JOIN trajectories AS t ON t.case_id = r.case_id
) AS ranked
WHERE place = :k
