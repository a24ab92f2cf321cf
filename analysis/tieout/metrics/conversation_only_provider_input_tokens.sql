-- title: Distinct provider input tokens that only conversations use
-- says: >-
--   Input tokens of the provider calls that the conversations use and no trajectory does, each once:
--   rows of equal kind, key and tokens are one call that was reused
-- unit: tokens
-- combine: sum
-- source: part-ii, section VII
SELECT sum(input_tokens) AS count
FROM (SELECT DISTINCT kind, call_key, input_tokens, output_tokens FROM turn_calls) AS provider_calls
WHERE NOT EXISTS (
    SELECT 1
    FROM calls AS c
    WHERE c.kind = provider_calls.kind
        AND c.call_key = provider_calls.call_key
        AND c.input_tokens = provider_calls.input_tokens
        AND c.output_tokens = provider_calls.output_tokens
)
