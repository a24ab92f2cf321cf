"""Packages and ledgers that are opened together: each by one name, and whatever a ledger needs among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tieout.errors import CannotOpen, Invalid
from tieout.ledger import Ledger, read_head
from tieout.package import Package, open_package


def open_packages(
    paths: Iterable[Path],
    ledgers: Iterable[Path],
    *,
    frozen: bool = True,
    opened: Callable[[Package], None] = lambda _: None,
) -> dict[str, Package]:
    """The packages at these paths and those that the ledgers at theirs need, by name; `opened` is called with each.

    Raises CannotOpen where a ledger's package is nowhere, two packages have one name, or two ledgers one document.
    """
    packages: dict[str, Package] = {}
    documents: dict[str, Path] = {}

    def add(path: Path) -> None:
        with faults_in(path):
            package = open_package(path, frozen=frozen)
        known = packages.setdefault(package.name, package)
        if known is not package and known.root.resolve() != package.root.resolve():
            raise CannotOpen(f"{known.root} and {package.root} are both named {package.name}")
        if known is package:
            opened(package)

    for path in paths:
        add(path)
    for ledger in ledgers:
        with faults_in(ledger):
            head = read_head(ledger)
        other = documents.setdefault(head["document"]["id"], ledger)
        if other is not ledger:
            raise CannotOpen(f"{other} and {ledger} are both of document {head['document']['id']}")
        for name in head.get("packages", {}).values():
            if name not in packages:
                beside = ledger.resolve().parent.parent / "packages" / name
                if not beside.is_dir():
                    document = head["document"]["id"]
                    raise CannotOpen(
                        f"ledger {document} is about package {name}, which was not given and is not at {beside}"
                    )
                add(beside)
                if name not in packages:
                    raise CannotOpen(
                        f"{beside} is a package of another name; its package.yaml must say `name: {name}`"
                    )
    return packages


@contextmanager
def faults_in(folder: Path) -> Iterator[None]:
    """Has faults that forbid to open a package or a ledger name its folder before the file.

    Raises Invalid, as what is done in it does.
    """
    try:
        yield
    except Invalid as invalid:
        raise Invalid(
            [replace(fault, file=f"{folder.name}/{fault.file}") for fault in invalid.faults]
        ) from invalid


def bound(ledger: Ledger, packages: Mapping[str, Package]) -> dict[str, Package]:
    """The ledger's packages by their aliases in it."""
    return {alias: packages[name] for alias, name in ledger.packages.items()}
