-- title: Answers that cite unavailable tracks
-- says: Share of answers that cite at least one track that their memory did not hold; identifiers that
--   name no track are left out
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
    AND answer_evidence.track_id IS NOT NULL
)
SELECT count(unavailable.case_id) AS numerator, count(*) AS denominator
FROM answers
LEFT JOIN unavailable ON unavailable.case_id = answers.case_id
