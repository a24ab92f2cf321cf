-- title: Tokens of a stream
-- says: Tokens of the entries that a run writes, each counted once
-- unit: tokens
-- combine: sum
-- source: buffer-lab, the declared run
SELECT sum(tokens) AS count FROM stream
