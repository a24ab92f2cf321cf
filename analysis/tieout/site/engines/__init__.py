"""The two engines that turn pages into HTML, behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tieout.site.engines.builtin.source import Page

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """A site's project: `_quarto.yml` as read, its pages in order, and the folder that it lies in."""

    root: Path
    settings: Mapping[str, Any]
    pages: tuple[Path, ...]

    @property
    def title(self) -> str:
        """The site's title."""
        return str(self.settings.get("website", {}).get("title", "Tieout"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """What an engine is asked for: pages of a project in `output`, their code run with `environment` set."""

    project: Project
    pages: Sequence[Page]
    output: Path
    environment: Mapping[str, str]


class RenderEngine(Protocol):
    """An engine; `name` is what the user calls it by."""

    name: str

    def render(self, job: Job, progress: Progress) -> None:
        """Writes NAME.html into the job's output for each page.

        Raises errors.Invalid with page and line for what is wrong in a page, errors.CannotOpen where the engine is
        missing or fails.
        """
        ...
