-- title: Pinned candidates that the score alone retrieves
-- says: Share of pinned candidates that the budget would have taken in the order of scores, the pin being one term
-- unit: candidates
-- denominator: pinned candidates of all requests
-- combine: ratio
-- source: tiered-memory, section 4
SELECT count(*) FILTER (WHERE retrieved_by_score) AS numerator, count(*) AS denominator
FROM retrievals
WHERE pinned
