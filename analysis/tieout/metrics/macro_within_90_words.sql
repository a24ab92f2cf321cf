-- title: Answers within 90 words (macro mean)
-- says: Share of answers whose text had at most 90 words, by the flag that the author recorded;
--   repetitions are averaged first, then the questions of an album, then the albums
-- unit: proportion
-- denominator: answers of a stratum (repetitions of one question, so one answer each where one policy is
--   chosen)
-- combine: mean
-- cases: {table: answers}
-- source: album-memory-1, expected_case_means
SELECT album, question_id, repetition,
  count(*) FILTER (WHERE within_90_words) AS numerator,
  count(*) AS denominator
FROM answers
GROUP BY album, question_id, repetition
