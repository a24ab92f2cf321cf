-- title: Tokens of assembled prompts
-- says: Tokens of all prompts of a conversation, each assembled under its budget; input alone
-- unit: tokens
-- combine: sum
-- cases: {table: requests}
-- source: tiered-memory, section 2.1
SELECT sum(prompt_tokens) AS count FROM requests
