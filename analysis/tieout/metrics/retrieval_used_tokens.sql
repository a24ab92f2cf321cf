-- title: Used tokens
-- says: Tokens of the context after truncation, headings included, averaged over queries
-- unit: tokens
-- denominator: queries
-- combine: ratio
-- cases: {table: recall}
-- source: retrieval-recall, first section
SELECT sum(used_tokens) AS numerator, count(*) AS denominator FROM recall
