-- title: Similarity of neighbours, observed and shuffled (another quantile)
-- says: The same as order_permutation with another quantile for the ends of the central 95%,
--   the median-unbiased quantile, definition 8 of Hyndman and Fan
-- unit: cosine similarity
-- combine: single
-- exact: false
-- value: observed
-- source: part-i, section VI
SELECT other.observed, other.mean, other.low, other.high
FROM order_permutation
JOIN order_permutation_median_unbiased AS other ON other.album = order_permutation.album
