-- title: Parts that a retrieval took
-- says: Share of the episodes and chunks in prompts that the log of retrievals has as retrieved for that request
-- unit: parts
-- denominator: episodes and chunks in prompts
-- combine: ratio
-- source: tiered-memory, section 2
SELECT count(r.candidate) AS numerator, count(*) AS denominator
FROM prompts AS p
LEFT JOIN retrievals AS r
    ON r.policy = p.policy AND r.request = p.request AND r.tier = p.tier AND r.candidate = p.part AND r.retrieved
WHERE p.tier IN ('episodic', 'semantic')
