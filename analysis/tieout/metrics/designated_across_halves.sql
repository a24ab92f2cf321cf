-- title: Questions whose designated tracks span both halves
-- says: Share of questions that designate a track of each half of the album; the middle track of an odd
--   number is in the second half (middle 0), the first (1), or neither (2)
-- unit: questions
-- denominator: questions
-- combine: ratio
-- cases: {table: answers}
-- params:
--   middle: {type: integer, enum: [0, 1, 2]}
-- source: part-i, section III
WITH lengths AS (
  SELECT album, count(*) AS tracks FROM theme_ratings GROUP BY album
),
designated AS (
  SELECT answers.question_id,
    count(*) FILTER (
      WHERE 2 * theme_ratings.position <= lengths.tracks + CASE WHEN :middle = 1 THEN 1 ELSE 0 END
    ) AS in_first,
    count(*) FILTER (
      WHERE 2 * theme_ratings.position > lengths.tracks + CASE WHEN :middle = 0 THEN 0 ELSE 1 END
    ) AS in_second
  FROM answers
  JOIN answer_targets ON answer_targets.case_id = answers.case_id
  JOIN lengths ON lengths.album = answers.album
  JOIN theme_ratings
    ON theme_ratings.album = answers.album AND theme_ratings.track_id = answer_targets.track_id
  GROUP BY answers.question_id
)
SELECT count(*) FILTER (WHERE in_first > 0 AND in_second > 0) AS numerator, count(*) AS denominator
FROM designated
