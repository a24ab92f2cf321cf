-- title: Tokens a turn
-- says: Input plus output tokens of all calls of a conversation turn, averaged over turns
-- unit: tokens
-- denominator: conversation turns
-- combine: ratio
-- cases: {table: turns}
-- source: part-ii, section VIII
SELECT sum(input_tokens + output_tokens) AS numerator, count(*) AS denominator
FROM turns
