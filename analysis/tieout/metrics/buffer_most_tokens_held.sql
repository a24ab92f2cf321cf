-- title: Most tokens held
-- says: Most tokens that a buffer holds after any step
-- unit: tokens
-- combine: sum
-- source: buffer-lab, the code
SELECT max(tokens_held) AS count FROM buffer_steps
