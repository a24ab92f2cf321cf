"""The command line: one file a command, each loaded when it is asked for; errors end here and nowhere else."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import Any

import click

from tieout import __version__
from tieout.errors import TieoutError

# In the order in which a reviewer, then a reader, then an author meets them.
COMMANDS = {
    "verify": "verify",
    "show": "show",
    "audit": "audit",
    "review": "review",
    "claims": "claims",
    "query": "query",
    "metrics": "metrics",
    "compute": "compute",
    "import": "importing",
    "instruments": "instruments",
    "run": "run",
    "derive": "derive",
    "render": "render",
    "serve": "serve",
    "freeze": "freeze",
}


class Commands(click.Group):
    """The commands by name, imported one at a time, with one place where their errors become messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of this name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"tieout.cli.{COMMANDS[cmd_name]}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; an error of ours, or of the system, becomes one message and an exit code."""
        if "NO_COLOR" in os.environ:
            ctx.color = False
        try:
            return super().invoke(ctx)
        except TieoutError as error:
            click.echo(f"tieout: {error}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            raise
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            click.echo(f"tieout: {place}{error.strerror or error}", err=True)
            ctx.exit(2)
        except Exception as error:
            if isinstance(error, click.ClickException | click.exceptions.Exit | click.Abort):
                raise
            # The outermost edge: whatever gets here is a defect of Tieout, and its user is owed a sentence.
            if "TIEOUT_DEBUG" in os.environ:
                traceback.print_exc(file=sys.stderr)
            message = f"tieout: a defect of Tieout itself: {type(error).__name__}: {error}"
            click.echo(f"{message}\n  Please report it; TIEOUT_DEBUG=1 shows where it happened.", err=True)
            ctx.exit(2)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  tieout verify
  tieout verify artifacts/ledgers/part-ii --all
  tieout show part-ii adaptive-to-embedding-tokens

Exit codes: 0 all holds or is admitted, 1 a difference that is not admitted or something invalid, 2 wrong usage or
could not run.
""",
)
@click.version_option(__version__, prog_name="tieout")
def main() -> None:
    """Tie the printed numbers of a study to its frozen receipts.

    A package holds a study's receipts; a ledger binds every number printed in a document to packages. Tieout
    recomputes each number from the receipts, on two engines, and says which tie, on what basis, and which do not. A
    tick means that a number ties to the receipts. It never means that it is true of the world.
    """
