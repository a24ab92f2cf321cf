-- title: Calls of a stage (recorded total)
-- says: Provider calls of a stage as the author totalled them; the calls behind the total are not all here
-- unit: calls
-- combine: ratio
-- source: part-i, section IX
SELECT sum(calls) AS count FROM stage_usage
