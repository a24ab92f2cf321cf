-- title: Answers that cite available ids only (macro mean)
-- says: Share of answers that passed the deterministic check of cited ids; repetitions are averaged first,
--   then the questions of an album, then the albums
-- unit: proportion
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section V
SELECT album, question_id, repetition,
  count(*) FILTER (WHERE valid_ids) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
