-- title: Oldest and newest kept
-- says: Steps that wrote the oldest and the newest of the entries that a buffer holds
-- unit: step
-- combine: range
-- source: buffer-lab, the worked example
SELECT entry, entry AS count FROM buffer_held
