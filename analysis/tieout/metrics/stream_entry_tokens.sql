-- title: Tokens of an entry
-- says: Size of each of the entries; no value unless all have the same
-- unit: tokens
-- combine: single
-- value: tokens
-- source: buffer-lab, the declared run
SELECT DISTINCT tokens FROM stream
