-- title: Held-out acceptance
-- says: >-
--   Share of answerable trajectories that the online verifier and the structural gate accepted, each
--   album under the threshold chosen on the other albums
-- unit: answers
-- denominator: answerable trajectories of the held-out albums
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- source: part-ii, reproduction record
SELECT count(*) FILTER (WHERE t.accepted) AS numerator, count(*) AS denominator
FROM threshold_selection AS s
JOIN trajectories AS t ON t.album = s.held_out_album AND t.threshold = s.threshold
WHERE t.answerable
