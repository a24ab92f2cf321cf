-- title: Logical provider input tokens
-- says: Input tokens of the provider calls that the trajectories require, a reused call counted in each
-- unit: tokens
-- combine: sum
-- source: part-ii, section VII
SELECT sum(input_tokens) AS count
FROM calls
