"""The command line: one file a command, each loaded when it is asked for; errors end here and nowhere else."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

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

INTERRUPTED, UNREAD, TERMINATED = 130, 141, 143  # 128 and the number of the signal


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; an unknown name is told with those near it, loaded or not."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """The context, and what the group's own options print while it is made."""
        with _edge():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        if "NO_COLOR" in os.environ:
            ctx.color = False
        with _edge(), _terminable():
            return super().invoke(ctx)


@contextmanager
def _terminable() -> Iterator[None]:
    """Has the signal TERM end a run as an interrupt does: its children end, and nothing temporary stays.

    Only in the thread that signals come to.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminated(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - what a handler is given
        raise KeyboardInterrupt(TERMINATED)

    before = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _edge() -> Iterator[None]:
    """Where errors end: one of ours, or of the system, becomes one message and an exit code.

    An interrupt ends with 130, a termination with 143, and a reader of standard output who leaves early with 141, as
    shells expect of the signals INT, TERM and PIPE: none is a verdict, and 1 would be one.
    """
    try:
        yield
    except (KeyboardInterrupt, click.Abort) as stopped:
        if stopped.args == (TERMINATED,):
            raise click.exceptions.Exit(TERMINATED) from None
        click.echo("\nAborted!", err=True)  # the line that holds the terminal's ^C ends first
        raise click.exceptions.Exit(INTERRUPTED) from None
    except (click.ClickException, click.exceptions.Exit):
        raise
    except TieoutError as error:
        click.echo(f"tieout: {error}", err=True)
        raise click.exceptions.Exit(error.exit_code) from error
    except BrokenPipeError as error:
        # What is still held back would be written, and fail again, when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(UNREAD) from error
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"tieout: {place}{error.strerror or error}", err=True)
        raise click.exceptions.Exit(2) from error
    except Exception as error:
        # The outermost edge: whatever gets here is a defect of Tieout, and its user is owed a sentence.
        if "TIEOUT_DEBUG" in os.environ:
            traceback.print_exc(file=sys.stderr)
        message = f"tieout: a defect of Tieout itself: {type(error).__name__}: {error}"
        click.echo(f"{message}\n  Please report it; TIEOUT_DEBUG=1 shows where it happened.", err=True)
        raise click.exceptions.Exit(2) from error


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  tieout verify
  tieout verify artifacts/ledgers/part-ii --all
  tieout show part-ii adaptive-to-embedding-tokens

Exit codes: 0 all holds or is admitted, 1 a difference that is not admitted or something invalid, 2 wrong usage or
could not run, 130 interrupted, 141 nobody read the output to its end, 143 terminated.
""",
)
@click.version_option(__version__, prog_name="tieout")
def main() -> None:
    """Tie the printed numbers of a study to its frozen receipts.

    A package holds a study's receipts; a ledger binds every number printed in a document to packages. Tieout
    recomputes each number from the receipts, on two engines, and says which tie, on what basis, and which do not. A
    tick means that a number ties to the receipts. It never means that it is true of the world.
    """
