-- title: Annotated tracks
-- says: Number of tracks that have an annotation
-- unit: tracks
-- combine: ratio
-- source: part-i, reproduce
SELECT count(*) AS count FROM theme_ratings
