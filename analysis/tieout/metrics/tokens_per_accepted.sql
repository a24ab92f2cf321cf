-- title: Tokens per accepted positive answer
-- says: >-
--   Tokens of all trajectories, failures and negatives included, over the positive answers that the
--   online verifier and the structural gate accepted; undefined where none is accepted
-- unit: tokens
-- denominator: accepted answerable trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, section VII
SELECT sum(input_tokens + output_tokens) AS numerator, count(*) FILTER (WHERE accepted AND answerable) AS denominator
FROM trajectories
