-- title: Newer before older
-- says: >-
--   Share of the pairs of unpinned candidates of one request and tier, as similar to it and of different recency, in
--   which the newer has the better rank
-- unit: pairs
-- denominator: pairs of equal similarity and different recency
-- combine: ratio
-- source: tiered-memory, section 4
SELECT count(*) FILTER (WHERE a.rank < b.rank) AS numerator, count(*) AS denominator
FROM retrievals AS a
JOIN retrievals AS b
    ON b.policy = a.policy AND b.request = a.request AND b.tier = a.tier AND b.similarity = a.similarity
WHERE NOT a.pinned AND NOT b.pinned AND a.age < b.age AND a.recency > b.recency
