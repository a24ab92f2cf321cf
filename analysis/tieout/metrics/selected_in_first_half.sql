-- title: Answers that see the first half
-- says: Share of answers whose memory names a track of the first half of the album; the middle track of an
--   odd number is in the second half (middle 0), the first (1), or neither (2)
-- unit: answers
-- denominator: answers
-- combine: ratio
-- cases: {table: answers}
-- params:
--   middle: {type: integer, enum: [0, 1, 2]}
-- source: part-i, section IX
WITH lengths AS (
  SELECT album, count(*) AS tracks FROM theme_ratings GROUP BY album
),
early AS (
  SELECT DISTINCT answers.case_id
  FROM answers
  JOIN answer_selected ON answer_selected.case_id = answers.case_id
  JOIN lengths ON lengths.album = answers.album
  JOIN theme_ratings
    ON theme_ratings.album = answers.album AND theme_ratings.track_id = answer_selected.track_id
  WHERE 2 * theme_ratings.position <= lengths.tracks + CASE WHEN :middle = 1 THEN 1 ELSE 0 END
)
SELECT count(early.case_id) AS numerator, count(*) AS denominator
FROM answers
LEFT JOIN early ON early.case_id = answers.case_id
