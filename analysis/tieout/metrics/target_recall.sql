-- title: Target recall
-- says: Share of designated targets that the answer cited
-- unit: targets
-- denominator: designated targets of answerable questions
-- combine: ratio
-- cases: {table: trajectories, where: answerable}
-- source: album-memory-2, expected_task_means.csv
SELECT sum(cited_target_count) AS numerator, sum(target_count) AS denominator
FROM trajectories
WHERE answerable
