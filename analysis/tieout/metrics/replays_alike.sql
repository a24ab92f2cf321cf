-- title: Replays with the same digest
-- says: Share of prompts whose digest is that of the prompt assembled again from the snapshot of their memory
-- unit: prompts
-- denominator: requests under a policy
-- combine: ratio
-- cases: {table: requests}
-- source: tiered-memory, section 2.1
SELECT count(*) FILTER (WHERE replay_digest = prompt_digest) AS numerator, count(*) AS denominator
FROM requests
