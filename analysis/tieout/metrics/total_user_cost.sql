-- title: Cost of the simulated user, known trials
-- says: >-
--   Sum of what the simulated user cost over the trials whose cost was recorded, so no more than a lower bound of the
--   cost of all; no value where none was. The agent's own cost is not in it
-- unit: dollars
-- denominator: one dollar, in the unit of the receipts
-- combine: ratio
-- cases: {table: trials, where: user_cost IS NOT NULL}
-- source: sierra-research/tau-bench
SELECT sum(user_cost) AS numerator, 10000000 AS denominator
FROM trials
WHERE user_cost IS NOT NULL
