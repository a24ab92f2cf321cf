-- title: Evicted turns in an episode
-- says: Share of the turns that left the working set which exactly one episode holds
-- unit: turns
-- denominator: turns that left the working set
-- combine: ratio
-- cases: {table: evictions}
-- source: tiered-memory, section 2.2
SELECT count(*) FILTER (WHERE episodes = 1) AS numerator, count(*) AS denominator
FROM evictions
