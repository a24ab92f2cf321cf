-- title: Albums
-- says: Number of different albums that were asked about
-- unit: albums
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IX
SELECT count(DISTINCT album) AS count FROM answers
