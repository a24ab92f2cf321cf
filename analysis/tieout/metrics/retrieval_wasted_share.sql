-- title: Share of wasted tokens
-- says: Share of the context's tokens that belong to no required fact delivered whole
-- unit: tokens
-- denominator: used tokens
-- combine: ratio
-- cases: {table: recall}
-- source: retrieval-recall, second section
SELECT sum(wasted_tokens) AS numerator, sum(used_tokens) AS denominator FROM recall
