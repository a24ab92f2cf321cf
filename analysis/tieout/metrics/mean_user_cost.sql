-- title: Cost of the simulated user a trial
-- says: Mean of what the simulated user cost, over the trials whose cost was recorded
-- unit: dollars
-- denominator: trials of known cost
-- combine: ratio
-- cases: {table: trials, where: user_cost IS NOT NULL}
-- source: sierra-research/tau-bench
SELECT sum(user_cost) AS numerator, count(user_cost) * 10000000 AS denominator
FROM trials
