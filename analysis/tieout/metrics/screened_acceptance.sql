-- title: Acceptance after the explicit-ID screen
-- says: >-
--   Share of answerable trajectories that the online verifier and the structural gate accepted and the
--   later explicit-ID screen passed
-- unit: answers
-- denominator: answerable trajectories
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- source: part-ii, sections I and IV
SELECT count(*) FILTER (WHERE accepted AND id_aligned) AS numerator, count(*) AS denominator
FROM trajectories
WHERE answerable
