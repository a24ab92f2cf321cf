-- title: Delivered item recall
-- says: Share of required items that the context still held after truncation
-- unit: items
-- denominator: required items
-- combine: ratio
-- cases: {table: recall, where: required_items > 0}
-- source: retrieval-recall, first example
SELECT sum(delivered_required_items) AS numerator, sum(required_items) AS denominator FROM recall
WHERE required_items > 0
