-- title: Tracks in memory
-- says: Fewest and most tracks that the memory of an answer names
-- unit: tracks
-- combine: range
-- cases: {table: answers}
-- source: part-i, section IV
SELECT case_id, selected_tracks AS count FROM answers
