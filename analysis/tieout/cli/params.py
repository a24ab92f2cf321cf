"""Parameters given as NAME=VALUE, of a metric or of an instrument."""

from __future__ import annotations

from typing import Any

import click


def by_name(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """Each parameter's value, read as YAML, by its name; raises BadParameter for what is none or is given twice."""
    from tieout.strict import load_yaml

    values: dict[str, Any] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not name or not equals or not text:
            raise click.BadParameter(f"'{pair}' is no parameter; give NAME=VALUE.")
        if name in values:
            raise click.BadParameter(f"{name} is given twice.")
        values[name] = load_yaml(text, f"--param {name}")
    return values
