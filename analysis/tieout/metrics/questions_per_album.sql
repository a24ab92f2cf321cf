-- title: Questions an album
-- says: Fewest and most different questions of an album
-- unit: questions
-- combine: range
-- cases: {table: answers}
-- source: part-i, section III
SELECT album, count(DISTINCT question_id) AS count FROM answers GROUP BY album
