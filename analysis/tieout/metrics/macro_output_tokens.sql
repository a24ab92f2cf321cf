-- title: Output tokens an answer (macro mean)
-- says: Output tokens that the provider reports for one answer; repetitions are averaged first, then the
--   questions of an album, then the albums
-- unit: tokens
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section IX
SELECT album, question_id, repetition,
  sum(output_tokens) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
