-- title: Distance of the designated tracks
-- says: Fewest and most positions between the first and the last designated track of a question
-- unit: positions
-- combine: range
-- cases: {table: answers}
-- source: part-i, section III
SELECT answers.question_id, max(theme_ratings.position) - min(theme_ratings.position) AS count
FROM answers
JOIN answer_targets ON answer_targets.case_id = answers.case_id
JOIN theme_ratings
  ON theme_ratings.album = answers.album AND theme_ratings.track_id = answer_targets.track_id
GROUP BY answers.question_id
