-- title: Output tokens of the pilot's calls
-- says: Output tokens over the recorded provider calls
-- unit: tokens
-- combine: ratio
-- source: part-i, section IX
SELECT sum(output_tokens) AS count FROM calls
