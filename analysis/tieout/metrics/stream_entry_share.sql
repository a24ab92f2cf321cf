-- title: Share of the entries
-- says: Share of a run's entries that are of one kind
-- unit: entries
-- combine: ratio
-- denominator: all entries
-- params: {kind: {type: string}}
-- source: buffer-lab, the declared run
SELECT count(*) FILTER (WHERE kind = :kind) AS numerator, count(*) AS denominator FROM stream
