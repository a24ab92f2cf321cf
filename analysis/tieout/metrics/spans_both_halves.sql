-- title: Citations that span both halves
-- says: Share of answers that cite a track of each half of the album; the middle track of an odd number is
--   in the second half (middle 0), the first (1), or neither (2)
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
cited AS (
  SELECT answers.case_id,
    count(*) FILTER (
      WHERE 2 * theme_ratings.position <= lengths.tracks + CASE WHEN :middle = 1 THEN 1 ELSE 0 END
    ) AS in_first,
    count(*) FILTER (
      WHERE 2 * theme_ratings.position > lengths.tracks + CASE WHEN :middle = 0 THEN 0 ELSE 1 END
    ) AS in_second
  FROM answers
  JOIN answer_evidence ON answer_evidence.case_id = answers.case_id
  JOIN lengths ON lengths.album = answers.album
  JOIN theme_ratings
    ON theme_ratings.album = answers.album AND theme_ratings.track_id = answer_evidence.track_id
  GROUP BY answers.case_id
)
SELECT count(*) FILTER (WHERE cited.in_first > 0 AND cited.in_second > 0) AS numerator,
  count(*) AS denominator
FROM answers
LEFT JOIN cited ON cited.case_id = answers.case_id
