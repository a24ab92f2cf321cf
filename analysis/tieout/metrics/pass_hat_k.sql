-- title: pass^k
-- says: >-
--   Chance that k trials of a task, drawn without replacement, all succeed: with c successes of n trials
--   C(c,k)/C(n,k), then the mean over the tasks. Both binomials are multiplied by k!, which leaves
--   c(c-1)...(c-k+1) over n(n-1)...(n-k+1) in integers. Undefined if a task has fewer than k trials
-- unit: proportion
-- denominator: ordered draws of k trials of a task
-- combine: mean
-- cases: {table: trials}
-- params: {k: {type: integer, minimum: 1}}
-- source: arXiv:2406.12045
WITH RECURSIVE per_task AS (
  SELECT task_id, count(*) FILTER (WHERE success) AS successes, count(*) AS trials_of_task
  FROM trials
  GROUP BY task_id
), draws AS (
  SELECT task_id, successes, trials_of_task, 0 AS drawn, CAST(1 AS BIGINT) AS all_succeed, CAST(1 AS BIGINT) AS all_draws
  FROM per_task
  UNION ALL
  SELECT task_id, successes, trials_of_task, drawn + 1, all_succeed * (successes - drawn), all_draws * (trials_of_task - drawn)
  FROM draws
  WHERE drawn < :k
)
SELECT task_id, all_succeed AS numerator, all_draws AS denominator
FROM draws
WHERE drawn = :k
