-- title: Re-reads
-- says: Times that a run comes back to an entry
-- unit: re-reads
-- combine: sum
-- source: buffer-lab, the worked example
SELECT count(*) AS count FROM rereads
