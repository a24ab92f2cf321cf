-- title: Delivered expired distractors
-- says: Share of delivered distractors that are no longer in force
-- unit: items
-- denominator: delivered distractors
-- combine: ratio
-- cases: {table: recall}
-- source: retrieval-recall, second section
SELECT sum(expired_distractors) AS numerator, sum(distractors) AS denominator FROM recall
