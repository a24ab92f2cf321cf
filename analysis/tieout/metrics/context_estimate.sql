-- title: Size of the memory
-- says: Smallest and largest selected memory by a local tokenizer, an estimate and no receipt of the
--   provider
-- unit: tokens (local estimate)
-- combine: range
-- cases: {table: answers}
-- source: part-i, section IX
SELECT case_id, context_tokens_estimate AS count FROM answers
