-- title: Dollar cost
-- says: >-
--   Cost of the calls under a price table: per model, uncached input, cached input (which total input
--   includes) and output, each times its price; no value where a model has no price
-- unit: dollars
-- denominator: one dollar, in the unit of the prices
-- combine: ratio
-- source: part-ii, section VII
SELECT CASE WHEN count(p.model) = count(*) THEN sum(
    (c.input_tokens - c.cached_input_tokens) * p.input
    + c.cached_input_tokens * p.cached_input
    + c.output_tokens * p.output
) END AS numerator, 1000000000000 AS denominator
FROM calls AS c
LEFT JOIN prices AS p ON p.model = c.model
