-- title: Step of a re-read
-- says: Step at which a run comes back to an entry for the first, second or a later time
-- unit: step
-- combine: single
-- value: step
-- params: {place: {type: integer, minimum: 1}}
-- source: buffer-lab, the worked example
SELECT step
FROM (SELECT step, row_number() OVER (ORDER BY step) AS place FROM rereads) AS placed
WHERE place = :place
