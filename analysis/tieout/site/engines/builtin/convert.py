"""Markdown to HTML by Pandoc, and the page around it by a template."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tieout.errors import CannotOpen

FORMAT = "markdown-auto_identifiers+gfm_auto_identifiers-tex_math_dollars-citations-smart"
SPLIT = "<!-- tieout: contents above, text below -->"
# A Pandoc template of nothing but the two pieces that our own templates are filled with.
PAGE = f"$if(toc)$\n$table-of-contents$\n$endif$\n{SPLIT}\n$body$\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Converted:
    """A page's HTML: its list of contents, empty where it has no headings, and its body."""

    contents: str
    body: str


def pandoc() -> str:
    """The path of Pandoc: the one that came with pypandoc_binary.

    Raises CannotOpen where it is not installed.
    """
    try:
        import pypandoc
    except ImportError as error:
        raise CannotOpen("rendering needs the extra `site`: pip install 'tieout[site]'") from error
    return str(pypandoc.get_pandoc_path())


def convert(markdown: str) -> Converted:
    """The HTML of a page's Markdown.

    Raises CannotOpen with Pandoc's own words where it fails.
    """
    with tempfile.TemporaryDirectory(prefix="tieout-") as folder:
        template = Path(folder) / "page.html"
        template.write_text(PAGE, encoding="utf-8")
        command = [pandoc(), "--from", FORMAT, "--to", "html5", "--standalone", "--toc", "--toc-depth=3"]
        command += [
            "--template",
            str(template),
            "--metadata",
            "title=page",
            "--no-highlight",
            "--wrap=preserve",
            "--columns=100000",  # a table's widths are the stylesheet's: Pandoc writes them into longer tables' tags
            "--eol=lf",
        ]
        ran = subprocess.run(command, input=markdown.encode(), capture_output=True, check=False)
    if ran.returncode != 0:
        raise CannotOpen(f"Pandoc fails: {ran.stderr.decode(errors='replace').strip()}")
    contents, _, body = ran.stdout.decode().partition(SPLIT)
    return Converted(contents=contents.strip(), body=body.strip())
