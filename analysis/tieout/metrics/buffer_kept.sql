-- title: Entries kept
-- says: Entries of a kind that a buffer holds after a step
-- unit: entries
-- combine: sum
-- source: buffer-lab, the worked example
SELECT count(*) AS count FROM buffer_held
