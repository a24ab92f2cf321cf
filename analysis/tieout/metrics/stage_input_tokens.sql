-- title: Input tokens of a stage (recorded total)
-- says: Input tokens of a stage as the author totalled them; the calls behind the total are not all here
-- unit: tokens
-- combine: ratio
-- source: part-i, section IX
SELECT sum(input_tokens) AS count FROM stage_usage
