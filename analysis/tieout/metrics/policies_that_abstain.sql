-- title: Policies that abstain
-- says: Number of memory policies under which the generator abstained at least once
-- unit: policies
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IX
SELECT count(DISTINCT policy) AS count FROM answers WHERE abstained
