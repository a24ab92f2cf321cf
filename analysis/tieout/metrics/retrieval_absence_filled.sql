-- title: Budget filled with substitutes
-- says: Share of queries without evidence whose context holds tokens of items all the same
-- unit: queries
-- denominator: queries without evidence
-- combine: ratio
-- cases: {table: recall, where: absence IS NOT NULL}
-- source: retrieval-recall, second section
SELECT count(*) FILTER (WHERE absence = 'filled') AS numerator, count(*) AS denominator FROM recall
WHERE absence IS NOT NULL
