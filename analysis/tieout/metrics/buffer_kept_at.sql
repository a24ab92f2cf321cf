-- title: Entry kept
-- says: Step that wrote the first, second or later of the entries that a buffer holds, in written order
-- unit: step
-- combine: single
-- value: entry
-- params: {place: {type: integer, minimum: 1}}
-- source: buffer-lab, the worked example
SELECT entry
FROM (SELECT entry, row_number() OVER (ORDER BY entry) AS place FROM buffer_held) AS placed
WHERE place = :place
