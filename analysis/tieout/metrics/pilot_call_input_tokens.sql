-- title: Input tokens of the pilot's calls
-- says: Input tokens over the recorded provider calls, cached ones included
-- unit: tokens
-- combine: ratio
-- source: part-i, section IX
SELECT sum(input_tokens) AS count FROM calls
