-- title: Designated tracks of a question
-- says: Fewest and most tracks that a question designates as its evidence
-- unit: tracks
-- combine: range
-- cases: {table: answers}
-- source: part-i, section III
SELECT case_id, target_count AS count FROM answers
