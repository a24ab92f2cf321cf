-- title: Pinned candidates retrieved
-- says: Share of pinned candidates that the budget took, pinned ones being ranked first
-- unit: candidates
-- denominator: pinned candidates of all requests
-- combine: ratio
-- source: tiered-memory, section 4
SELECT count(*) FILTER (WHERE retrieved) AS numerator, count(*) AS denominator
FROM retrievals
WHERE pinned
