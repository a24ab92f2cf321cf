-- title: Facts out of reach
-- says: Share of required facts that no budget delivers, because an item of theirs was not selected
-- unit: facts
-- denominator: required facts
-- combine: ratio
-- cases: {table: fact_cost}
-- source: retrieval-recall, third section
SELECT count(*) FILTER (WHERE needed_budget IS NULL) AS numerator, count(*) AS denominator FROM fact_cost
