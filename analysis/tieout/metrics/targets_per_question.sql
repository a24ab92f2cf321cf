-- title: Designated targets a question
-- says: Songs that a question's reference designates, averaged over trajectories
-- unit: songs
-- denominator: trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: part-ii, section III
SELECT sum(target_count) AS numerator, count(*) AS denominator
FROM trajectories
