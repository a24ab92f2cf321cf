-- title: Claims that cite
-- says: Claims that cite a source left by the filter on cited_sources
-- unit: claims
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, opening and section IV
SELECT count(*) AS count
FROM (
    SELECT DISTINCT s.case_id, s.claim
    FROM cited_sources AS s
    JOIN trajectories AS t ON t.case_id = s.case_id
) AS cited
