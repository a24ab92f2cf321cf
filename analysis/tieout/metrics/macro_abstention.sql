-- title: Abstention (macro mean)
-- says: Share of answers in which the generator abstained; repetitions are averaged first, then the
--   questions of an album, then the albums
-- unit: proportion
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section IX
SELECT album, question_id, repetition,
  count(*) FILTER (WHERE abstained) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
