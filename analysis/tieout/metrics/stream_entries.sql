-- title: Entries of a stream
-- says: Entries that a run writes
-- unit: entries
-- combine: sum
-- source: buffer-lab, the declared run
SELECT count(*) AS count FROM stream
