-- title: Declared parameter
-- says: Value of one parameter that the study declares and its receipts do not show
-- unit: as the parameter's row says
-- combine: single
-- value: value
-- source: the row of the design table names it
SELECT value FROM design
