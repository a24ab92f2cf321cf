-- title: Questions
-- says: Number of different questions that were answered
-- unit: questions
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section III
SELECT count(DISTINCT question_id) AS count FROM answers
