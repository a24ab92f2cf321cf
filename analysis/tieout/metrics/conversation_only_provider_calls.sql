-- title: Distinct provider calls that only conversations use
-- says: >-
--   Provider calls that the conversations use and no trajectory does, each once: rows of equal kind,
--   key and tokens are one call that was reused
-- unit: calls
-- combine: sum
-- source: part-ii, section VII
SELECT count(*) AS count
FROM (SELECT DISTINCT kind, call_key, input_tokens, output_tokens FROM turn_calls) AS provider_calls
WHERE NOT EXISTS (
    SELECT 1
    FROM calls AS c
    WHERE c.kind = provider_calls.kind
        AND c.call_key = provider_calls.call_key
        AND c.input_tokens = provider_calls.input_tokens
        AND c.output_tokens = provider_calls.output_tokens
)
