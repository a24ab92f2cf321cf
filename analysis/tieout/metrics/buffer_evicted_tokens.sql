-- title: Tokens evicted
-- says: Tokens of the entries that left a buffer
-- unit: tokens
-- combine: sum
-- source: buffer-lab, the failure mode
SELECT sum(tokens) AS count FROM buffer_evicted
