-- title: Rated themes
-- says: Number of themes on which at least one track is rated above 0
-- unit: themes
-- combine: ratio
-- source: part-i, section III
SELECT
  CASE WHEN max(attachment) > 0 THEN 1 ELSE 0 END
  + CASE WHEN max(rupture) > 0 THEN 1 ELSE 0 END
  + CASE WHEN max(agency) > 0 THEN 1 ELSE 0 END
  + CASE WHEN max("escape") > 0 THEN 1 ELSE 0 END
  + CASE WHEN max(identity) > 0 THEN 1 ELSE 0 END
  + CASE WHEN max(social_critique) > 0 THEN 1 ELSE 0 END
  + CASE WHEN max(mortality) > 0 THEN 1 ELSE 0 END
  + CASE WHEN max(renewal) > 0 THEN 1 ELSE 0 END AS count
FROM theme_ratings
