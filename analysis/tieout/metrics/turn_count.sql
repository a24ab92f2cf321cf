-- title: Conversation turns
-- says: Conversation turns recorded
-- unit: turns
-- combine: sum
-- cases: {table: turns}
-- source: part-ii, section VIII
SELECT count(*) AS count
FROM turns
