-- title: Distinct provider output tokens
-- says: >-
--   Output tokens of the provider calls behind the trajectories, each once: rows of equal kind, key
--   and tokens are one call that was reused
-- unit: tokens
-- combine: sum
-- source: part-ii, section VII
SELECT sum(output_tokens) AS count
FROM (SELECT DISTINCT kind, call_key, input_tokens, output_tokens FROM calls) AS provider_calls
