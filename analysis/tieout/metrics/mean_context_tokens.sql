-- title: Context exposed
-- says: >-
--   Memory tokens in the final context of a trajectory, without question and instructions, averaged
--   over trajectories
-- unit: tokens
-- denominator: trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, section VI
SELECT sum(context_tokens) AS numerator, count(*) AS denominator
FROM trajectories
