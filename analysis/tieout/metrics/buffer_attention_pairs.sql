-- title: Attention pairs
-- says: Pairs of a token held with itself or an earlier one, after a step
-- unit: pairs
-- combine: single
-- value: attention_pairs
-- source: buffer-lab, what the published numbers say
SELECT attention_pairs FROM buffer_steps
