-- title: Answers that cite available ids only
-- says: Share of answers that passed the deterministic check of cited ids
-- unit: answers
-- denominator: answers
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section V
SELECT count(*) FILTER (WHERE valid_ids) AS numerator, count(*) AS denominator FROM answers
