-- title: Marginal tokens of a delivered fact
-- says: >-
--   How many tokens more a budget must have for one further required fact of a query, averaged over the facts that some
--   budget delivers
-- unit: tokens
-- denominator: required facts whose items were selected
-- combine: ratio
-- cases: {table: fact_cost}
-- source: retrieval-recall, third section
SELECT sum(marginal_tokens) AS numerator, count(marginal_tokens) AS denominator FROM fact_cost
