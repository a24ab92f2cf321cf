-- title: Entries re-read
-- says: Different entries that a run comes back to
-- unit: entries
-- combine: sum
-- source: buffer-lab, the worked example
SELECT count(DISTINCT entry) AS count FROM rereads
