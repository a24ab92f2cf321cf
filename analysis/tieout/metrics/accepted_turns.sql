-- title: Turns accepted
-- says: Conversation turns whose answer the online verifier and the structural gate accepted
-- unit: turns
-- combine: sum
-- cases: {table: turns}
-- source: part-ii, section VIII
SELECT count(*) FILTER (WHERE accepted) AS count
FROM turns
