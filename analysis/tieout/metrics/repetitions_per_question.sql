-- title: Repetitions of a question
-- says: Fewest and most repetitions of a question under a policy
-- unit: repetitions
-- combine: range
-- cases: {table: answers}
-- source: part-i, section IV
SELECT min(case_id) AS first_answer, count(DISTINCT repetition) AS count FROM answers GROUP BY policy, question_id
