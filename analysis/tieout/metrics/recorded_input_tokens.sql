-- title: Recorded provider input tokens
-- says: >-
--   Input tokens of the provider calls that the author's own totals state for the scopes left by the
--   filter
-- unit: tokens
-- combine: sum
-- source: album-memory-2, usage_by_scope.csv
SELECT sum(input_tokens) AS count
FROM usage_by_scope
