"""What a claim computes, in one sentence made from its query, the schemas, the filters and the evaluators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tieout.audit.shape import Shape, shape
from tieout.audit.subject import Room, Subject
from tieout.exact import Combine
from tieout.planning import ClaimStep, FormulaStep, QueryStep, Step
from tieout.recompute import InLoop

if TYPE_CHECKING:
    from sqlglot import exp

WAYS = {
    "mean": "mean over",
    "sum": "sum over",
    "min": "smallest over",
    "max": "largest over",
    "range": "smallest and largest over",
}


def meaning(room: Room, subject: Subject) -> str:
    """The sentence; columns and what is computed from them stand in backticks as the query has them."""
    step = subject.step
    if isinstance(step, QueryStep):
        return _query(room, subject, step)
    if isinstance(step, ClaimStep):
        return f"the value of claim {step.claim}"
    return _formula(subject, step)


def _query(room: Room, subject: Subject, step: QueryStep) -> str:
    known = shape(step.own)
    parts = [_what(known, step, _columns(step))]
    if judged := _judges(subject):
        parts.append(judged)
    if over := _rows(room, known, step):
        parts.append(over)
    if where := _where(subject, known):
        parts.append(f"where {where}")
    if params := subject.recipe.params:
        parts.append(f"with {_listed([f'{name} = {_cell(value)}' for name, value in params.items()])}")
    return ", ".join(parts)


def _formula(subject: Subject, step: FormulaStep) -> str:
    names = []
    for name, (below, part) in step.inputs.items():
        taken = "" if part == "value" else f"the {part} of "
        names.append(f"`{name}` is {taken}{_named(below)}")
    kind = "whether" if subject.recipe.asserts is not None else "the value of"
    metric = f" (metric {step.metric})" if step.metric else ""
    given = f", where {'; '.join(names)}" if names else ", over numbers alone"
    judged = _judges(subject)
    return f"{kind} `{step.formula.text}`{metric}" + (f", {judged}" if judged else "") + given


def _named(step: Step) -> str:
    if isinstance(step, ClaimStep):
        return f"claim {step.claim}"
    known = shape(step.own) if isinstance(step, QueryStep) else None
    if known is None or not isinstance(step, QueryStep):
        return "a formula"
    conditions = [select.partition(" WHERE ")[2] for select in step.filters.values()]
    where = " and ".join(f"`{each}`" for each in conditions if each)
    return _what(known, step, _columns(step)) + (f" where {where}" if where else "")


def _columns(step: QueryStep) -> dict[str, Mapping[str, object]]:
    return {name: form for table in step.tables for name, form in table.schema["properties"].items()}


def _what(known: Shape, step: QueryStep, columns: Mapping[str, Mapping[str, object]]) -> str:
    from sqlglot import exp

    numerator, denominator = known.projection("numerator"), known.projection("denominator")
    count = known.projection("count")
    if numerator is not None and denominator is not None:
        said = _ratio(numerator, denominator, columns)
    elif count is not None:
        said = _measure(count, columns)
    elif step.value_column or step.combine == "single":
        first = known.select.selects[0].alias_or_name if known.select else "value"
        column = step.value_column or first
        said = f"`{column}`{_unit(exp.column(column), columns)}"
    elif known.select is not None and known.select.selects:
        member = ", ".join(f"`{name}` is {value}" for name, value in step.member.items())
        said = f"`{known.select.selects[-1].alias_or_name}` of the member where {member}"
    else:
        said = "the result of a query"
    if isinstance(known.select, exp.Select) and known.nested and not known.tables:
        said += f" of a query on {_listed(sorted(step.filters))}"
    strata = [each.alias_or_name for each in known.strata()]
    return _combined(said, strata, step.combine)


def _combined(said: str, strata: list[str], how: Combine) -> str:
    if not strata or how in {"ratio", "member", "single"}:
        return said
    levels = (how,) * len(strata) if isinstance(how, str) else how
    if len(set(levels)) == 1:
        names = _listed([f"`{name}`" for name in strata])
        return f"{WAYS.get(levels[0], levels[0])} {names} of the {said}"
    steps = [f"{WAYS.get(way, way)} `{name}`" for way, name in zip(levels, strata, strict=False)]
    return f"{' of the '.join(steps)} of the {said}"


def _ratio(numerator: exp.Expr, denominator: exp.Expr, columns: Mapping[str, Mapping[str, object]]) -> str:
    from sqlglot import exp

    rows = isinstance(denominator, exp.Count) and isinstance(denominator.this, exp.Star)
    if rows and isinstance(numerator, exp.Filter) and isinstance(numerator.this, exp.Count):
        return f"share of {_sql(numerator.expression.this)}"
    if rows and isinstance(numerator, exp.Count):
        return f"share of rows with {_sql(numerator.this)}"
    if rows and isinstance(numerator, exp.Sum):
        return f"mean of {_sql(numerator.this)}{_unit(numerator, columns)}"
    return f"{_measure(numerator, columns)} over the {_measure(denominator, columns)}"


def _measure(node: exp.Expr, columns: Mapping[str, Mapping[str, object]]) -> str:
    from sqlglot import exp

    match node:
        case exp.Filter():
            return f"{_measure(node.this, columns)} where {_sql(node.expression.this)}"
        case exp.Count(this=exp.Star()):
            return "number of rows"
        case exp.Count(this=exp.Distinct()):
            return f"number of distinct {_listed([_sql(each) for each in node.this.expressions])}"
        case exp.Count():
            return f"number of rows with {_sql(node.this)}"
        case exp.Sum():
            return f"sum of {_sql(node.this)}{_unit(node, columns)}"
        case exp.Max():
            return f"largest {_sql(node.this)}{_unit(node, columns)}"
        case exp.Min():
            return f"smallest {_sql(node.this)}{_unit(node, columns)}"
        case exp.Literal():
            return f"number {node.sql()} written in the query"
    return f"value of {_sql(node)}{_unit(node, columns)}"


def _sql(node: exp.Expr) -> str:
    return f"`{node.sql(dialect='duckdb')}`"


def _unit(node: exp.Expr, columns: Mapping[str, Mapping[str, object]]) -> str:
    """The unit of the columns in an expression where they have one in common, in parentheses."""
    from sqlglot import exp

    units = set()
    for column in node.find_all(exp.Column):
        annotation = columns.get(column.name, {}).get("tieout", {})
        units.add(annotation.get("unit") if isinstance(annotation, Mapping) else None)
    unit = units.pop() if len(units) == 1 else None
    return f" ({unit})" if unit else ""


def _judges(subject: Subject) -> str:
    found = []
    for name, loop in subject.recomputed.evaluators.items():
        version = next(
            (
                package.evaluators[name].version
                for package in subject.book.packages.values()
                if name in package.evaluators
            ),
            "",
        )
        found.append(f"{name}{f' ({version})' if version else ''} {_loop(loop)}")
    return f"judged by {_listed(found)}" if found else ""


def _loop(loop: InLoop) -> str:
    if isinstance(loop, bool):
        return "in the loop" if loop else "outside the loop"
    terms = " and ".join(
        f"{column} is {_listed(list(map(str, values)), 'or') if isinstance(values, list | tuple) else values}"
        for column, values in loop.items()
    )
    return f"in the loop where {terms}"


def _rows(room: Room, known: Shape, step: QueryStep) -> str:
    """Of each table read, how many of its rows come in, after the filters and the query's own."""
    found = []
    for table in step.tables:
        if table.name not in step.filters:
            continue
        own = " AND ".join(f"({each.sql(dialect='duckdb')})" for each in known.conjuncts)
        where = f" WHERE {own}" if own and known.base == table.name else ""
        kept = room.rows(
            step.asked.package, f"SELECT count(*) FROM ({step.filters[table.name]}) AS {table.name}{where}"
        )
        whole = room.rows(step.asked.package, f"SELECT count(*) FROM receipts.{table.name}")
        if kept is not None and whole is not None:
            k, n = kept.rows[0][0], whole.rows[0][0]
            title = str(table.schema.get("title", table.name)).lower()
            found.append(f"{k:,} of {n:,} {title}" if k != n else f"all {n:,} {title}")
    return f"over {_listed(found)}" if found else ""


def _where(subject: Subject, known: Shape) -> str:
    package = subject.package
    if package is None:
        return ""
    several = sum(where != "all" for where in subject.recipe.where.values()) > 1
    found = []
    for name, where in subject.recipe.where.items():
        if where == "all" or name not in package.tables:
            continue
        prefix = f"{name}: " if several else ""
        alternatives = where if isinstance(where, list) else [where]
        said = [" and ".join(_term(column, term) for column, term in each.items()) for each in alternatives]
        found.append(prefix + " or ".join(f"({each})" if len(said) > 1 else each for each in said))
    # The filters of a query inside the query are on its own columns, which say nothing without it.
    own = [] if known.nested else [_sql(each) for each in known.conjuncts]
    return " and ".join([*found, *own])


def _term(column: str, term: object) -> str:
    if isinstance(term, Mapping):
        return " and ".join(_operator(column, name, value) for name, value in term.items())
    if isinstance(term, list | tuple):
        return f"{column} is {_listed([_cell(each) for each in term], 'or')}"
    return f"{column} is {_cell(term)}"


def _operator(column: str, name: str, value: object) -> str:
    if name == "not":
        values = value if isinstance(value, list | tuple) else [value]
        return f"{column} is not {_listed([_cell(each) for each in values], 'or')}"
    return f"{column} is {name.replace('_', ' ')} {_cell(value)}"


def _cell(value: object) -> str:
    if value is None:
        return "unknown"
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _listed(parts: list[str], word: str = "and") -> str:
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)
