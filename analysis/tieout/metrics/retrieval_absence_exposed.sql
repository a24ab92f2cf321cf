-- title: Absence exposed
-- says: Share of queries without evidence for which nothing was selected, so that the absence shows
-- unit: queries
-- denominator: queries without evidence
-- combine: ratio
-- cases: {table: recall, where: absence IS NOT NULL}
-- source: retrieval-recall, second section
SELECT count(*) FILTER (WHERE absence = 'exposed') AS numerator, count(*) AS denominator FROM recall
WHERE absence IS NOT NULL
