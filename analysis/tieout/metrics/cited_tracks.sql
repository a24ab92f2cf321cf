-- title: Tracks cited
-- says: Different tracks in the well-formed source addresses of an answer, summed over the trajectories
-- unit: tracks
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section IV
SELECT count(*) AS count
FROM (
    SELECT DISTINCT s.case_id, s.track_id
    FROM cited_sources AS s
    JOIN trajectories AS t ON t.case_id = s.case_id
    WHERE s.track_id IS NOT NULL
) AS cited
