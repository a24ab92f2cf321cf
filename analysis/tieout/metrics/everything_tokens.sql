-- title: Tokens of prompts that hold everything
-- says: >-
--   Tokens of all prompts of a conversation if each held the frame, every turn up to then and every chunk written by
--   then; input alone
-- unit: tokens
-- combine: sum
-- cases: {table: requests}
-- source: tiered-memory, section 1
SELECT sum(everything_tokens) AS count FROM requests
