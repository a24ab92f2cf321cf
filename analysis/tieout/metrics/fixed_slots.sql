-- title: Slots taken by the same tracks
-- says: Share of the slots of a memory that hold a track which every question of the album gets
-- unit: slots
-- denominator: slots of the answers' memories
-- combine: ratio
-- cases: {table: answers}
-- source: part-i, section IX
WITH held AS (
  SELECT answers.album, answer_selected.track_id, count(*) AS answers_with
  FROM answers
  JOIN answer_selected ON answer_selected.case_id = answers.case_id
  GROUP BY answers.album, answer_selected.track_id
),
asked AS (
  SELECT album, count(*) AS answers_asked, sum(selected_tracks) AS slots
  FROM answers
  GROUP BY album
),
fixed AS (
  SELECT held.album, sum(held.answers_with) AS slots
  FROM held
  JOIN asked ON asked.album = held.album
  WHERE held.answers_with = asked.answers_asked
  GROUP BY held.album
)
SELECT asked.album, CASE WHEN fixed.slots IS NULL THEN 0 ELSE fixed.slots END AS numerator, asked.slots AS denominator
FROM asked
LEFT JOIN fixed ON fixed.album = asked.album
