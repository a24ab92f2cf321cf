-- title: Tasks
-- says: Distinct tasks that were tried
-- unit: tasks
-- combine: sum
-- cases: {table: trials}
-- source: arXiv:2406.12045
SELECT count(DISTINCT task_id) AS count
FROM trials
