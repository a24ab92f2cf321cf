-- title: Printed number
-- says: Number that a program prints, by its line and its place in the line
-- unit: as the line says
-- combine: ratio
-- params: {line: {type: integer, minimum: 1}, place: {type: integer, minimum: 1}}
-- source: buffer-lab, the code
SELECT numerator, denominator FROM listing WHERE line = :line AND place = :place
