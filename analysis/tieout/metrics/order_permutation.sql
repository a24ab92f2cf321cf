-- title: Similarity of neighbours, observed and shuffled
-- says: Mean cosine similarity of the theme ratings of neighbouring tracks in the observed order, with the
--   mean and the central 95% of the same over shuffled orders
-- unit: cosine similarity
-- combine: single
-- exact: false
-- value: observed
-- source: part-i, section VI
SELECT observed, mean, low, high FROM order_permutation
