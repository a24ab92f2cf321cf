-- title: Answers
-- says: Number of recorded answers
-- unit: answers
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IV
SELECT count(*) AS count FROM answers
