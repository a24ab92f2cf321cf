-- title: Utilization
-- says: Share of the designated targets in the final context that the answer cited
-- unit: targets
-- denominator: designated targets available in the final context
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- source: album-memory-2, expected_task_means.csv
SELECT sum(used_when_available_count) AS numerator, sum(available_count) AS denominator
FROM trajectories
WHERE answerable
