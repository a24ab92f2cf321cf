-- title: Delivered fact recall
-- says: Share of required facts of which the context held every token after truncation
-- unit: facts
-- denominator: required facts
-- combine: ratio
-- cases: {table: recall, where: required_facts > 0}
-- source: retrieval-recall, first section
SELECT sum(delivered_facts) AS numerator, sum(required_facts) AS denominator FROM recall
WHERE required_facts > 0
