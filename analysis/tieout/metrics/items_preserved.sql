-- title: Items preserved
-- says: >-
--   Share of the decisions, entities and open questions of evicted turns that memory still holds after the last
--   request; a question that was settled when its turn left is not counted
-- unit: items
-- denominator: items of evicted turns that the preservation contract covers
-- combine: ratio
-- source: tiered-memory, section 2.2
SELECT count(*) FILTER (WHERE in_memory) AS numerator, count(*) AS denominator
FROM preservation
WHERE due AND evicted_at IS NOT NULL
