-- title: Abstentions
-- says: Share of answers in which the generator abstained
-- unit: answers
-- denominator: answers
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IX
SELECT count(*) FILTER (WHERE abstained) AS numerator, count(*) AS denominator FROM answers
