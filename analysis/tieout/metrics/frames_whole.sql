-- title: Prompts with the whole frame
-- says: Share of prompts that begin with every line of the frame, unchanged
-- unit: prompts
-- denominator: requests under a policy
-- combine: ratio
-- source: tiered-memory, section 2.1
WITH lines AS (
    SELECT p.policy AS policy, p.request AS request, count(f.line) AS unchanged
    FROM prompts AS p
    LEFT JOIN frame AS f ON f.line = p.position AND f.text = p.text AND p.tier = 'system'
    GROUP BY p.policy, p.request
)
SELECT
    count(*) FILTER (WHERE unchanged = (SELECT count(*) FROM frame)) AS numerator,
    count(*) AS denominator
FROM lines
