-- title: Entry re-read
-- says: Step that wrote the first, second or later of the entries that a run comes back to, in written order
-- unit: step
-- combine: single
-- value: entry
-- params: {place: {type: integer, minimum: 1}}
-- source: buffer-lab, the worked example
SELECT entry
FROM (SELECT entry, row_number() OVER (ORDER BY entry) AS place FROM (SELECT DISTINCT entry FROM rereads) AS entries) AS placed
WHERE place = :place
