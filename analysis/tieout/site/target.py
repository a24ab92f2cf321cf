"""Where a site may be put: it takes the place of an older site or of an empty folder, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tieout.errors import CannotOpen
from tieout.find import SITE_KEY

ANOTHER = "name another folder for the site"


def free(target: Path, sources: Iterable[Path]) -> Path:
    """The target of a site with all links followed, where nothing that is no site would be lost.

    `sources` are the files and folders that the site is made from.
    Raises CannotOpen for a target that is a file or holds anything but a site, that is, holds or lies in one of the
    sources, or lies in a package or ledger, and for one that is or holds the folder in which the command was given.
    """
    place = target.resolve()
    for source in (path.resolve() for path in sources):
        if place == source or place in source.parents or source in place.parents:
            raise CannotOpen(f"{target} is, holds or lies in {source}, of which the site is made; {ANOTHER}")
    here = Path.cwd()
    if place == here or place in here.parents:
        raise CannotOpen(f"{target} is or holds the folder that you are in; {ANOTHER}")
    for above in (place, *place.parents):
        if above.exists() and not above.is_dir():
            raise CannotOpen(f"{above} is a file; {ANOTHER}")
        if any((above / mark).exists() for mark in ("package.yaml", "ledger.yaml")):
            raise CannotOpen(f"{target} is or lies in the package or ledger {above}; {ANOTHER}")
    if place.is_dir() and any(place.iterdir()) and not (place / SITE_KEY).is_file():
        raise CannotOpen(f"{target} is not empty and holds no site that Tieout wrote; {ANOTHER}, or empty it")
    if (place / ".git").exists():
        raise CannotOpen(
            f"{target} is a clone of a repository, which would be lost; {ANOTHER} and copy it there"
        )
    return place
