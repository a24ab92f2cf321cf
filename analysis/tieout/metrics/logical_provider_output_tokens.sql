-- title: Logical provider output tokens
-- says: Output tokens of the provider calls that the trajectories require, a reused call counted in each
-- unit: tokens
-- combine: sum
-- source: part-ii, section VII
SELECT sum(output_tokens) AS count
FROM calls
