-- title: Pareto frontier of the settings
-- says: >-
--   1 for a setting that no other setting beats: none has at least its share of positive answers
--   accepted by the online verifier and the structural gate at no more mean trajectory tokens and is
--   better in one of the two
-- unit: '1 or 0'
-- combine: member
-- cases: {table: trajectories}
-- source: part-ii, section I
WITH settings AS (
    SELECT
        policy,
        cap,
        threshold,
        count(*) AS trajectories_count,
        count(*) FILTER (WHERE answerable) AS positives,
        count(*) FILTER (WHERE accepted AND answerable) AS accepted_count,
        sum(input_tokens + output_tokens) AS tokens
    FROM trajectories
    GROUP BY policy, cap, threshold
)
SELECT
    s.policy AS policy,
    s.cap AS cap,
    s.threshold AS threshold,
    CASE WHEN EXISTS (
        SELECT 1
        FROM settings AS o
        WHERE o.accepted_count * s.positives >= s.accepted_count * o.positives
            AND o.tokens * s.trajectories_count <= s.tokens * o.trajectories_count
            AND (
                o.accepted_count * s.positives > s.accepted_count * o.positives
                OR o.tokens * s.trajectories_count < s.tokens * o.trajectories_count
            )
    ) THEN 0 ELSE 1 END AS on_frontier
FROM settings AS s
