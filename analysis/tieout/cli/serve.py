"""`tieout serve`: the built site over http, on this machine alone."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    "serve",
    epilog="""\b
Example:
  tieout serve --help
""",
)
@click.option(
    "--site",
    type=click.Path(path_type=Path, file_okay=False),
    default="_site",
    show_default=True,
    help="The built site.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="The port on 127.0.0.1; 0 takes a free one.",
)
def command(site: Path, port: int) -> None:
    """Serve the built site at http://127.0.0.1 until interrupted; search needs it, everything else works from disk."""
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    from tieout.errors import CannotOpen

    if not (site / "index.html").is_file():
        raise CannotOpen(f"{site}: no site here; make one with `tieout render`")
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    try:
        listening = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise CannotOpen(f"port {port}: {error.strerror}; --port takes another") from error
    with listening as server:
        click.echo(f"http://127.0.0.1:{server.server_port}/ serves {site}; Ctrl+C ends it", err=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
