-- title: Delivered distractors
-- says: Delivered items that their query does not need, averaged over queries
-- unit: items
-- denominator: queries
-- combine: ratio
-- cases: {table: recall}
-- source: retrieval-recall, second section
SELECT sum(distractors) AS numerator, count(*) AS denominator FROM recall
