-- title: Memory policies
-- says: Number of different memory policies that were run
-- unit: policies
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IV
SELECT count(DISTINCT policy) AS count FROM answers
