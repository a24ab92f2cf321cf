-- title: Held-out trajectory tokens, ties to the highest threshold
-- says: >-
--   Input plus output tokens averaged over trajectories, each album under the highest of the
--   thresholds accepted most often on the other albums
-- unit: tokens
-- denominator: trajectories of the held-out albums
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, reproduction record
SELECT sum(t.input_tokens + t.output_tokens) AS numerator, count(*) AS denominator
FROM threshold_selection AS s
JOIN trajectories AS t ON t.album = s.held_out_album AND t.threshold = s.highest_tied
