-- title: Recorded provider calls
-- says: Provider calls that the author's own totals state for the scopes left by the filter
-- unit: calls
-- combine: sum
-- source: album-memory-2, usage_by_scope.csv
SELECT sum(calls) AS count
FROM usage_by_scope
