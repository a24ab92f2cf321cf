-- title: Trials
-- says: Trials, of all tasks
-- unit: trials
-- combine: sum
-- cases: {table: trials}
-- source: arXiv:2406.12045
SELECT count(*) AS count
FROM trials
