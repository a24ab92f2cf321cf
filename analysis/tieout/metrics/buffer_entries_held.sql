-- title: Entries held
-- says: Entries that a buffer holds after a step
-- unit: entries
-- combine: single
-- value: entries_held
-- source: buffer-lab, the formula
SELECT entries_held FROM buffer_steps
