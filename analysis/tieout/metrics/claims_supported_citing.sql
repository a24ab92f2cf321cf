-- title: Supported claims that cite
-- says: >-
--   Claims that cite a source left by the filter on cited_sources and that the online verifier held to
--   be supported
-- unit: claims
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section IV
SELECT count(*) AS count
FROM (
    SELECT DISTINCT s.case_id, s.claim
    FROM cited_sources AS s
    JOIN trajectories AS t ON t.case_id = s.case_id
    JOIN claim_verdicts AS v ON v.case_id = s.case_id AND v.claim = s.claim
    WHERE v.supported
) AS cited
