-- title: Tokens held
-- says: Tokens that a buffer holds after a step
-- unit: tokens
-- combine: single
-- value: tokens_held
-- source: buffer-lab, the formula
SELECT tokens_held FROM buffer_steps
