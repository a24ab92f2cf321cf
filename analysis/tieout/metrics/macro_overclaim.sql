-- title: Overclaims by the pilot judge (macro mean)
-- says: Share of answers that the pilot judge flagged as overclaiming; repetitions are averaged first,
--   then the questions of an album, then the albums
-- unit: proportion
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section IX
SELECT album, question_id, repetition,
  count(*) FILTER (WHERE overclaim) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
