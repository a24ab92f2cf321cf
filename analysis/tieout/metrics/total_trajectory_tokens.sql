-- title: Total trajectory tokens
-- says: Input plus output tokens of all calls of all trajectories, reused calls counted in each
-- unit: tokens
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section VII
SELECT sum(input_tokens + output_tokens) AS count
FROM trajectories
