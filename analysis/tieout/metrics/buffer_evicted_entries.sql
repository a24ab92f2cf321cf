-- title: Entries evicted
-- says: Entries that left a buffer
-- unit: entries
-- combine: sum
-- source: buffer-lab, the failure mode
SELECT count(*) AS count FROM buffer_evicted
