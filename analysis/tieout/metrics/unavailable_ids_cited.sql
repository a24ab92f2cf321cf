-- title: Answers that cite unavailable ids
-- says: Share of answers that cite at least one identifier, of whatever form, that their memory did not
--   hold
-- unit: answers
-- denominator: answers
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IX
WITH unavailable AS (
  SELECT DISTINCT answer_evidence.case_id
  FROM answer_evidence
  LEFT JOIN answer_selected
    ON answer_selected.case_id = answer_evidence.case_id
    AND answer_selected.track_id = answer_evidence.evidence_id
  WHERE answer_selected.track_id IS NULL
)
SELECT count(unavailable.case_id) AS numerator, count(*) AS denominator
FROM answers
LEFT JOIN unavailable ON unavailable.case_id = answers.case_id
