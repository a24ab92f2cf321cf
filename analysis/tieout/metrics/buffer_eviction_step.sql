-- title: Step of an eviction
-- says: Step at which an entry left a buffer
-- unit: step
-- combine: single
-- value: step
-- source: buffer-lab, the worked example
SELECT step FROM buffer_evicted
