-- title: Step of an entry
-- says: Step that writes the first, second or later of the entries
-- unit: step
-- combine: single
-- value: step
-- params: {place: {type: integer, minimum: 1}}
-- source: buffer-lab, the declared run
SELECT step
FROM (SELECT step, row_number() OVER (ORDER BY step) AS place FROM stream) AS placed
WHERE place = :place
