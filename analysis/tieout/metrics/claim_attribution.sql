-- title: Claim attribution
-- says: Share of an answer's listed claims that the online verifier held to be supported by the cited sources
-- unit: claims
-- denominator: listed claims of all trajectories
-- combine: ratio
-- cases: {table: trajectories}
-- source: album-memory-2, expected_task_means.csv
SELECT sum(supported_claims) AS numerator, sum(claims_count) AS denominator
FROM trajectories
