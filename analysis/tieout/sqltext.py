"""SQL as text: which queries may run, what they read, and the filters and parameters put around them.

sqlglot only parses and lints here; what runs is the text itself, the same on DuckDB and on SQLite. The subset both run
with one meaning is the allowlist below; `metrics/README.md` says it in words.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tieout.errors import TieoutError

if TYPE_CHECKING:
    from sqlglot import exp

LONGEST = 20_000  # characters of one query
LARGEST_INTEGER = 2**63 - 1

# Expression classes of a SELECT that both engines run alike. Left out on purpose: `/` (integer in one, decimal in the
# other), string building, dates, everything volatile, every table function.
NODES = frozenset(
    """
    Abs Add Alias And Between Case Cast Coalesce Column Count CTE DataType Distinct EQ Except Exists Filter From GT
    GTE Group Having Identifier If In Intersect Is Join Like Limit Literal LT LTE Max Min Mod Mul NEQ Neg Not Null
    Nullif Or Order Ordered Paren Placeholder Rank DenseRank Lag Lead RowNumber Select Star Sub Subquery Substring Sum
    Table TableAlias Tuple Union Var Where Window WindowSpec With Boolean Length
    """.split()  # noqa: SIM905 - read as a list of words, not as sixty strings
)
# Checks run on DuckDB alone, so they may say these too.
CHECK_NODES = NODES | {"NullSafeEQ", "NullSafeNEQ", "Greatest", "Least", "StartsWith"}
CASTS = frozenset({"INT", "BIGINT", "INTEGER"})
# What is no name to one of the engines where it stands alone: a column may have it, and is then written in quotes.
RESERVED = frozenset(
    """
    add all alter analyse analyze and anti any array as asc asof asymmetric at authorization autoincrement between
    binary both by case cast check collate collation column commit concurrently constraint create cross current_date
    current_time current_timestamp default deferrable delete desc describe distinct do drop else end escape except
    exists false fetch for foreign freeze from full glob group having ilike in index initially inner insert intersect
    into is isnull join lambda lateral leading left like limit natural not nothing notnull null offset on only or
    order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify raise recursive references
    returning right select semi set show similar some summarize symmetric table tablesample then to trailing transaction
    true union unique unpack unpivot update using values variadic verbose when where window with
    """.split()  # noqa: SIM905 - read as a list of words, not as a hundred strings
)
COMPARISONS = {"below": "<", "above": ">", "at_least": ">=", "at_most": "<="}
FORBIDDEN = re.compile(r"--|/\*|\$|;|\\|[\x00-\x08\x0b-\x1f\x7f]")
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PARAMETER = re.compile(r"'(?:[^']|'')*'|(?<![:\w]):([a-z_][a-z0-9_]*)")

# What sqlglot warns of repeats the query, on the standard error of whoever looks at a stranger's ledger.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())

Scalar = int | str | bool | None
Term = Scalar | Sequence[Scalar] | Mapping[str, object]
Filter = Mapping[str, object] | Sequence[Mapping[str, object]]  # column -> term, or alternatives joined by OR


class RefusedSQL(TieoutError):
    """A query outside the subset; `code` is a stable name of the reason."""

    exit_code = 1

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What a checked query reads: table names, and column names (every column of its tables where it says `*`)."""

    tables: frozenset[str]
    columns: frozenset[str]
    star: bool


def check(sql: str, tables: Iterable[str], nodes: frozenset[str] = NODES) -> Query:
    """What `sql` reads, if it is one SELECT of the subset (`nodes`) over these tables.

    Raises RefusedSQL, naming what stands outside the subset.
    """
    from sqlglot import exp, parse
    from sqlglot.errors import SqlglotError

    if len(sql) > LONGEST:
        raise RefusedSQL("sql-too-long", f"a query of {len(sql):,} characters; at most {LONGEST:,} are read")
    if "\x00" in sql:
        raise RefusedSQL("sql-character", "a query cannot hold a NUL character")
    if found := FORBIDDEN.search(PARAMETER.sub(lambda m: m[0] if m[1] else "''", sql)):
        raise RefusedSQL(
            "sql-character", f"`{found[0]}` may not stand in a query (one statement, no comments)"
        )
    try:
        statements = parse(sql, read="duckdb")
    except (SqlglotError, RecursionError) as error:
        message = re.sub(r"\x1b\[\d+m", "", str(error)).split("\n", 1)[0]
        raise RefusedSQL("sql-syntax", f"the query cannot be parsed: {message}") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        kind = type(statements[0]).__name__.upper() if statements and statements[0] else "nothing"
        raise RefusedSQL(
            "sql-not-select", f"one SELECT is needed, this is {len(statements)} statement(s), {kind} first"
        )
    return _read(statements[0], frozenset(tables), nodes)


def _read(statement: exp.Query, tables: frozenset[str], allowed: frozenset[str]) -> Query:
    from sqlglot import exp

    nodes = list(statement.walk())
    ctes = {node.alias for node in nodes if isinstance(node, exp.CTE)}
    if hidden := sorted(name for name in ctes if name.lower() in {table.lower() for table in tables}):
        raise RefusedSQL(
            "sql-cte-hides-table", f"a CTE may not have the name of a receipt table: {', '.join(hidden)}"
        )
    read: set[str] = set()
    columns: set[str] = set()
    star = False
    for node in nodes:
        _check_node(node, allowed)
        if isinstance(node, exp.Table):
            if not isinstance(node.this, exp.Identifier) or node.args.get("db"):
                raise RefusedSQL("sql-table", f"`{node.sql()}` is no table of the package")
            if node.name in tables:
                read.add(node.name)
            elif node.name not in ctes:
                known = ", ".join(sorted(tables))
                raise RefusedSQL("sql-unknown-table", f"no table `{node.name}`; the package has {known}")
        elif isinstance(node, exp.Column):
            columns.add(node.name)
        elif isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
            star = True
        elif isinstance(node, exp.Join):
            columns.update(each.name for each in node.args.get("using") or [])
    return Query(tables=frozenset(read), columns=frozenset(columns), star=star)


def _check_node(node: exp.Expr, allowed: frozenset[str]) -> None:
    from sqlglot import exp

    name = type(node).__name__
    if name not in allowed:
        piece = node.sql(dialect="duckdb")[:60]
        raise RefusedSQL(
            "sql-outside-subset", f"`{piece}` ({name}) is outside the subset of SQL that may run here"
        )
    if isinstance(node, exp.Literal) and not node.is_string:
        if not node.this.isdigit() or int(node.this) > LARGEST_INTEGER:
            raise RefusedSQL(
                "sql-literal", f"`{node.this}` is no integer of 64 bits; metrics count in integers"
            )
    elif isinstance(node, exp.Cast) and node.to.this.name not in CASTS:
        raise RefusedSQL(
            "sql-cast", f"a cast to {node.to.sql()} means different things to the engines; BIGINT is allowed"
        )
    elif isinstance(node, exp.Join) and node.method:
        raise RefusedSQL("sql-join", f"{node.method} JOIN is outside the subset that both engines run")
    elif isinstance(node, exp.Union) and node.args.get("by_name"):
        raise RefusedSQL("sql-union", "UNION BY NAME is outside the subset that both engines run")
    elif isinstance(node, exp.Star) and any(node.args.get(part) for part in ("except_", "replace", "rename")):
        raise RefusedSQL(
            "sql-star", "* EXCLUDE, REPLACE and RENAME are outside the subset that both engines run"
        )


def identifier(name: str) -> str:
    """A table's or a column's name in SQL: in quotes where an engine takes it for something else."""
    if PLAIN.fullmatch(name) and name.lower() not in RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """A checked literal: text in quotes, an integer, TRUE or FALSE, NULL.

    Raises RefusedSQL for anything else, floats included.
    """
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        if "\x00" in value:
            raise RefusedSQL("sql-literal", "a text with a NUL character cannot be a value")
        return "'" + value.replace("'", "''") + "'"
    raise RefusedSQL(
        "sql-literal", f"{value!r} cannot be a value of a filter or a parameter; text, integers and flags can"
    )


def bind(sql: str, params: Mapping[str, Scalar]) -> str:
    """The query with `:name` replaced by checked literals.

    Raises RefusedSQL when a parameter has no value, or a value no parameter.
    """
    used: set[str] = set()

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0]
        if name not in params:
            raise RefusedSQL("sql-parameter", f"parameter `{name}` has no value")
        used.add(name)
        return literal(params[name])

    bound = PARAMETER.sub(put, sql)
    if unused := sorted(set(params) - used):
        raise RefusedSQL("sql-parameter", f"no parameter `{', '.join(unused)}` in the query")
    return bound


def condition(where: Filter, nullable: Mapping[str, bool]) -> str:
    """The SQL condition of a filter; `nullable` says of each column of the table whether it may be null.

    `not` keeps rows whose cell is null, unless null is among what it names: what is unknown is not the named value.
    Raises RefusedSQL for an unknown column or a malformed term.
    """
    if isinstance(where, Mapping):
        return " AND ".join(_term(column, term, nullable) for column, term in where.items()) or "TRUE"
    if not where:
        raise RefusedSQL("where-empty", "a filter's list of alternatives is empty")
    return " OR ".join(f"({condition(alternative, nullable)})" for alternative in where)


def _term(column: str, term: object, nullable: Mapping[str, bool]) -> str:
    if column not in nullable:
        raise RefusedSQL("where-unknown-column", f"no column `{column}`; the table has {', '.join(nullable)}")
    match term:
        case None:
            return f"{identifier(column)} IS NULL"
        case str() | bool() | int():
            return f"{identifier(column)} = {literal(term)}"
        case list() | tuple() if term:
            return _one_of(identifier(column), term)
        case Mapping() if term:
            return " AND ".join(
                _operator(identifier(column), operator, value, nullable[column])
                for operator, value in term.items()
            )
    raise RefusedSQL(
        "where-term",
        f"`{column}: {term!r}` is no term: a value, a list of values, or not, below, above, at_least, at_most",
    )


def _one_of(column: str, values: Sequence[object]) -> str:
    known = [literal(value) for value in values if value is not None]
    terms = [f"{column} IN ({', '.join(known)})"] if known else []
    terms += [f"{column} IS NULL"] if None in values else []
    return terms[0] if len(terms) == 1 else f"({' OR '.join(terms)})"


def _operator(column: str, name: str, value: object, nullable: bool) -> str:
    if name in COMPARISONS and isinstance(value, int) and not isinstance(value, bool):
        return f"{column} {COMPARISONS[name]} {value}"
    if name == "not":
        values = value if isinstance(value, list | tuple) else [value]
        if known := [item for item in values if item is not None]:
            outside = f"{column} NOT IN ({', '.join(literal(item) for item in known)})"
            return f"({outside} OR {column} IS NULL)" if nullable and None not in values else outside
        if values:
            return f"{column} IS NOT NULL"
    raise RefusedSQL(
        "where-term",
        f"`{column}: {{{name}: {value!r}}}` is no term; {', '.join(COMPARISONS)} take an integer, not takes values",
    )


def selected(table: str, condition: str | None = None) -> str:
    """The SELECT of a table's rows that a filter keeps, all of them for None."""
    return f"SELECT * FROM receipts.{identifier(table)}" + (f" WHERE {condition}" if condition else "")


def compose(sql: str, selects: Mapping[str, str]) -> str:
    """The query that is run and shown: each table it reads as a CTE of the SELECT that is given for it."""
    ctes = [f"{identifier(table)} AS ({selects[table]})" for table in sorted(selects)]
    return f"WITH {', '.join(ctes)}\nSELECT * FROM (\n{sql.strip()}\n)" if ctes else sql.strip()
