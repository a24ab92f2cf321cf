-- title: Trajectory tokens
-- says: >-
--   Input plus output tokens of all generation, sufficiency and verification calls, averaged over all
--   trajectories, negatives and failures included
-- unit: tokens
-- denominator: trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, section I
SELECT sum(input_tokens + output_tokens) AS numerator, count(*) AS denominator
FROM trajectories
