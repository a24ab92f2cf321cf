-- title: Held-out acceptance after the explicit-ID screen, ties to the highest threshold
-- says: >-
--   Share of answerable trajectories that the online verifier and the structural gate accepted and the
--   explicit-ID screen passed, each album under the highest of the thresholds accepted most often on
--   the other albums
-- unit: answers
-- denominator: answerable trajectories of the held-out albums
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- source: part-ii, reproduction record
SELECT count(*) FILTER (WHERE t.accepted AND t.id_aligned) AS numerator, count(*) AS denominator
FROM threshold_selection AS s
JOIN trajectories AS t ON t.album = s.held_out_album AND t.threshold = s.highest_tied
WHERE t.answerable
