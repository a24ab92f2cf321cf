-- title: Total tokens of turns
-- says: Input plus output tokens of all calls of all conversation turns
-- unit: tokens
-- combine: sum
-- cases: {table: turns}
-- source: part-ii, section VIII
SELECT sum(input_tokens + output_tokens) AS count
FROM turns
