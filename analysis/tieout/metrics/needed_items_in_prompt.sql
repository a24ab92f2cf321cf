-- title: Needed items in the prompt
-- says: >-
--   Share of the items that requests are declared to need which the assembled prompt held; what memory holds still has
--   to be retrieved within the budget
-- unit: needs
-- denominator: pairs of a request and an item that it needs
-- combine: ratio
-- cases: {table: recall}
-- source: tiered-memory, section 2.2
SELECT count(*) FILTER (WHERE in_prompt) AS numerator, count(*) AS denominator
FROM recall
