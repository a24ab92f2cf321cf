-- title: Success rate
-- says: >-
--   Share of all trials whose reward is 1; a trial that was stopped without being scored counts as a failure,
--   as in the benchmark. Equal to pass^1 where every task has the same number of trials
-- unit: trials
-- denominator: trials
-- combine: ratio
-- cases: {table: trials}
-- source: arXiv:2406.12045
SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator
FROM trials
