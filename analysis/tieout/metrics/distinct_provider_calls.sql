-- title: Distinct provider calls
-- says: >-
--   Provider calls behind the trajectories, each once: rows of equal kind, key and tokens are one call
--   that was reused
-- unit: calls
-- combine: sum
-- source: part-ii, section VII
SELECT count(*) AS count
FROM (SELECT DISTINCT kind, call_key, input_tokens, output_tokens FROM calls) AS provider_calls
