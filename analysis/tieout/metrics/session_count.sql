-- title: Conversations
-- says: Different conversations recorded
-- unit: conversations
-- combine: sum
-- cases: {table: turns}
-- source: part-ii, section VIII
SELECT count(DISTINCT session_id) AS count
FROM turns
