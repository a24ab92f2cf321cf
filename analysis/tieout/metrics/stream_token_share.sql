-- title: Share of the tokens
-- says: Share of a run's tokens that entries of one kind hold
-- unit: tokens
-- combine: ratio
-- denominator: tokens of all entries
-- params: {kind: {type: string}}
-- source: buffer-lab, the declared run
SELECT sum(CASE WHEN kind = :kind THEN tokens ELSE 0 END) AS numerator, sum(tokens) AS denominator FROM stream
