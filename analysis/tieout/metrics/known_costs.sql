-- title: Trials of known cost
-- says: >-
--   Trials whose cost of the simulated user was recorded, of all trials; every sum of costs is over these alone
-- unit: trials
-- denominator: trials
-- combine: ratio
-- cases: {table: trials}
-- source: sierra-research/tau-bench
SELECT count(user_cost) AS numerator, count(*) AS denominator
FROM trials
