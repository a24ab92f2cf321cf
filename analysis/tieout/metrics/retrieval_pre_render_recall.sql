-- title: Pre-render recall
-- says: Share of required items that the retriever selected, at whatever place
-- unit: items
-- denominator: required items
-- combine: ratio
-- cases: {table: recall, where: required_items > 0}
-- source: retrieval-recall, first example
SELECT sum(selected_required_items) AS numerator, sum(required_items) AS denominator FROM recall
WHERE required_items > 0
