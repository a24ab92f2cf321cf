-- title: Acceptance of turns
-- says: Share of conversation turns whose answer the online verifier and the structural gate accepted
-- unit: turns
-- denominator: conversation turns
-- combine: ratio
-- cases: {table: turns}
-- source: part-ii, section VIII
SELECT count(*) FILTER (WHERE accepted) AS numerator, count(*) AS denominator
FROM turns
