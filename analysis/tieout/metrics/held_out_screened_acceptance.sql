-- title: Held-out acceptance after the explicit-ID screen
-- says: >-
--   Share of answerable trajectories that the online verifier and the structural gate accepted and the
--   explicit-ID screen passed, each album under the threshold
--   chosen on the other albums; thresholds accepted as often there are told apart as `tie_break` says
-- unit: answers
-- denominator: answerable trajectories of the held-out albums
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- params: {tie_break: {type: string, enum: [chosen, lowest, highest]}}
-- source: part-ii, reproduction record
SELECT count(*) FILTER (WHERE t.accepted AND t.id_aligned) AS numerator, count(*) AS denominator
FROM threshold_selection AS s
JOIN trajectories AS t ON t.album = s.held_out_album AND t.threshold = CASE
    WHEN :tie_break = 'lowest' THEN s.lowest_tied
    WHEN :tie_break = 'highest' THEN s.highest_tied
    ELSE s.threshold
END
WHERE t.answerable
