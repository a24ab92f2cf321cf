-- title: Cost of the simulated user per success
-- says: >-
--   What the simulated user cost, failures included, over the successes, both over the trials whose cost was recorded:
--   an unknown cost is not 0, and its trial would cheapen the others. Undefined without a success. Where the trials of
--   unknown cost are failures, the true figure is higher. The agent's own cost is not in it
-- unit: dollars
-- denominator: successful trials of known cost
-- combine: ratio
-- cases: {table: trials, where: success AND user_cost IS NOT NULL}
-- source: sierra-research/tau-bench
SELECT sum(user_cost) AS numerator, count(*) FILTER (WHERE success) * 10000000 AS denominator
FROM trials
WHERE user_cost IS NOT NULL
