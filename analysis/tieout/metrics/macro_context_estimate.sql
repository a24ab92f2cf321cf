-- title: Memory put before the generator (macro mean)
-- says: Tokens of the selected memory by a local tokenizer, an estimate and no receipt of the provider;
--   repetitions are averaged first, then the questions of an album, then the albums
-- unit: tokens (local estimate)
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section IX
SELECT album, question_id, repetition,
  sum(context_tokens_estimate) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
