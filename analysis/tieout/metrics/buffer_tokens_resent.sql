-- title: Tokens re-sent
-- says: Tokens sent up to a step when the whole buffer is sent at every step
-- unit: tokens
-- combine: single
-- value: resent_tokens
-- source: buffer-lab, the formula
SELECT resent_tokens FROM buffer_steps
