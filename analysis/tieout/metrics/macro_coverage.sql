-- title: Coverage by the pilot judge (macro mean)
-- says: Coverage rating, 0 to 4, that the pilot judge gave an answer; repetitions are averaged first, then
--   the questions of an album, then the albums
-- unit: points of 4
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section IX
SELECT album, question_id, repetition,
  sum(coverage) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
