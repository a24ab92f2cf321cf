-- title: Prompts under the ceiling
-- says: Share of prompts that take, together with the reserve, no more tokens than the budget's total
-- unit: prompts
-- denominator: requests under a policy
-- combine: ratio
-- cases: {table: requests}
-- source: tiered-memory, section 2.1
SELECT
    count(*) FILTER (
        WHERE prompt_tokens + (SELECT tokens FROM budget WHERE part = 'reserve')
            <= (SELECT tokens FROM budget WHERE part = 'total')
    ) AS numerator,
    count(*) AS denominator
FROM requests
