-- title: Stage tokens
-- says: >-
--   Input plus output tokens of the calls of the stages left by the filter on calls, reused calls
--   counted in each trajectory
-- unit: tokens
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section VI
SELECT sum(c.input_tokens + c.output_tokens) AS count
FROM calls AS c
JOIN trajectories AS t ON t.case_id = c.case_id
