-- title: Stage tokens a trajectory
-- says: >-
--   Input plus output tokens of the calls left by the filter on calls, averaged over all trajectories,
--   those without such a call included
-- unit: tokens
-- denominator: trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, section VI
SELECT
    sum(CASE WHEN c.case_id IS NULL THEN 0 ELSE c.input_tokens + c.output_tokens END) AS numerator,
    count(DISTINCT t.case_id) AS denominator
FROM trajectories AS t
LEFT JOIN calls AS c ON c.case_id = t.case_id
