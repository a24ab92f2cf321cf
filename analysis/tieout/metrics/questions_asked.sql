-- title: Questions
-- says: Different questions asked, whatever the settings that answered them
-- unit: questions
-- combine: sum
-- cases: {table: trajectories}
-- source: part-ii, section I
SELECT count(DISTINCT question_id) AS count
FROM trajectories
