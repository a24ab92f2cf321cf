-- title: Needed items in memory
-- says: Share of the items that requests are declared to need which memory held at the request
-- unit: needs
-- denominator: pairs of a request and an item that it needs
-- combine: ratio
-- cases: {table: recall}
-- source: tiered-memory, section 2.2
SELECT count(*) FILTER (WHERE in_memory) AS numerator, count(*) AS denominator
FROM recall
