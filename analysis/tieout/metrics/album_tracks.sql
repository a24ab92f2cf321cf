-- title: Tracks of an album
-- says: Number of units, tracks and separately indexed songs, of an album
-- unit: tracks
-- combine: ratio
-- source: part-i, section I
SELECT sum(tracks) AS count FROM albums
