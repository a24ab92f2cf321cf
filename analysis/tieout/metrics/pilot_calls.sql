-- title: Provider calls of the pilot
-- says: Number of recorded provider calls, one a row
-- unit: calls
-- combine: ratio
-- source: part-i, section IX
SELECT count(*) AS count FROM calls
