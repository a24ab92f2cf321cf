-- title: Model calls of retrieving
-- says: Calls of a model that retrieving took, all queries together; read from the runs, since a budget makes no call
-- unit: calls
-- combine: sum
-- cases: {table: runs}
-- source: retrieval-recall, second section
SELECT query_id, retriever, model_calls AS count FROM runs
