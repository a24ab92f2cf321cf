"""`tieout metrics`: the catalogue."""

from __future__ import annotations

import click


@click.command(
    "metrics",
    epilog="""\b
Examples:
  tieout metrics
  tieout metrics tokens_per_accepted
""",
)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the catalogue of metrics, or show one: definition, unit, denominator, combination, source, SQL."""
    from tieout.cli.text import wrapped
    from tieout.metrics import FormulaMetric, load, names

    if name is None:
        for known in names():
            click.echo(f"{known:45} {load(known).title}")
        return
    metric = load(name)
    click.echo(f"{click.style(metric.name, bold=True)}  {metric.title}")
    click.echo(wrapped(metric.says, "  "))
    facts = {"unit": metric.unit, "source": metric.source}
    if isinstance(metric, FormulaMetric):
        facts["formula"] = metric.formula
        facts |= {
            f"  {key}": f"{given.metric}#{given.part} {dict(given.where) or ''}"
            for key, given in metric.inputs.items()
        }
    else:
        facts["denominator"] = metric.denominator
        facts["combine"] = metric.combine if isinstance(metric.combine, str) else ", ".join(metric.combine)
    facts |= {
        f"parameter {key}": ", ".join(f"{k} {v}" for k, v in declared.items())
        for key, declared in metric.params.items()
    }
    for key, value in facts.items():
        if value:
            click.echo(f"  {key:12} {value}")
    if not isinstance(metric, FormulaMetric):
        click.echo(f"\n{metric.sql}")
