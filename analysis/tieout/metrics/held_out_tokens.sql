-- title: Held-out trajectory tokens
-- says: >-
--   Input plus output tokens averaged over trajectories, each album under the threshold
--   chosen on the other albums; thresholds accepted as often there are told apart as `tie_break` says
-- unit: tokens
-- denominator: trajectories of the held-out albums
-- combine: ratio
-- cases: {table: trajectories}
-- params: {tie_break: {type: string, enum: [chosen, lowest, highest]}}
-- source: part-ii, reproduction record
SELECT sum(t.input_tokens + t.output_tokens) AS numerator, count(*) AS denominator
FROM threshold_selection AS s
JOIN trajectories AS t ON t.album = s.held_out_album AND t.threshold = CASE
    WHEN :tie_break = 'lowest' THEN s.lowest_tied
    WHEN :tie_break = 'highest' THEN s.highest_tied
    ELSE s.threshold
END
