-- title: Designated evidence recall (macro mean)
-- says: Share of the designated tracks of a question that its answer cites; repetitions are averaged
--   first, then the questions of an album, then the albums
-- unit: proportion
-- denominator: designated tracks of the question
-- combine: mean
-- cases: {table: answers}
-- source: part-i, section IX
SELECT album, question_id, repetition,
  sum(cited_targets) AS numerator,
  sum(target_count) AS denominator
FROM answers
GROUP BY album, question_id, repetition
