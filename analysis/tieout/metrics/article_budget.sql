-- title: Declared part of a context budget
-- says: Tokens of one part of the budget that the article declares
-- unit: tokens
-- combine: single
-- value: tokens
-- source: tiered-memory, section 2.1
SELECT tokens FROM article_budget
