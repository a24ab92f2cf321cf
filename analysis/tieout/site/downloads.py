"""The packages on the site: every file as it is, a zip of each, a page with its data dictionary and first rows."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from tieout.site.model import Site
from tieout.site.shell import Shell
from tieout.site.templating import Html, fill

FIRST_ROWS = 5
EPOCH = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # the earliest date a zip can hold: a package's bytes say nothing of when it was zipped
ROLES = {
    "key": "names a row",
    "case": "what is sampled",
    "repeat": "repeats of a case",
    "condition": "condition",
    "outcome": "outcome",
    "usage": "usage",
    "cost": "cost",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """A file of a package."""

    path: str
    size: int
    sha256: str
    rows: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column of the data dictionary."""

    name: str
    type: str
    role: str
    unit: str
    says: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Described:
    """A table of the data dictionary with its first rows."""

    name: str
    title: str
    says: str
    basis: str
    rows: int | None
    file: str
    instrument: str | None
    columns: tuple[Column, ...]
    head: tuple[tuple[Any, ...], ...]


def write_downloads(shell: Shell, site: Site, output: Path) -> None:
    """Writes each package as it is below `packages/`, its zip and its page there, and the zips of ledgers."""
    for name, package in site.packages.items():
        folder = Path(package["folder"])
        files = package_files(folder)
        for path in files:
            target = output / "packages" / name / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        (output / "packages" / f"{name}.zip").write_bytes(zipped(folder, name))
        shell.page(
            "package.html.j2",
            output / "packages" / f"{name}.html",
            depth=1,
            title=package["title"],
            description=package.get("description"),
            package=package,
            report=next(found for found in site.report["packages"] if found["name"] == name),
            files=list(listed(site, name)),
            tables=[described(site, name, table) for table in package["tables"]],
            shell_lines=example_lines(package),
        )
    for name, document in site.documents.items():
        target = output / "ledgers" / f"{name}.zip"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(zipped(Path(document["folder"]), name))


def package_files(folder: Path) -> list[Path]:
    """The files of a package or ledger by name; hidden ones and links are none of it."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def zipped(folder: Path, name: str) -> bytes:
    """A folder as a zip whose bytes depend on its files alone: stored, in the order of their names, without dates."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for path in package_files(folder):
            entry = ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}", EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, wherever it is made
            archive.writestr(entry, path.read_bytes())
    return out.getvalue()


def listed(site: Site, name: str) -> Iterator[File]:
    """Every file of a package with its size, its rows where it is a table, and its SHA-256."""
    package = site.package(name)
    folder = Path(package["folder"])
    rows = {table["file"]: table["rows"] for table in package["tables"].values()}
    for path in package_files(folder):
        content = path.read_bytes()
        inside = path.relative_to(folder).as_posix()
        yield File(
            path=inside, size=len(content), sha256=hashlib.sha256(content).hexdigest(), rows=rows.get(inside)
        )


def described(site: Site, package: str, name: str) -> Described:
    """A table with its columns in the schema's words, and its first rows."""
    table = site.package(package)["tables"][name]
    schema = table["schema"]
    columns = tuple(column(key, form) for key, form in schema["properties"].items())
    return Described(
        name=name,
        title=schema.get("title", name),
        says=schema.get("description", ""),
        basis=table["basis"],
        rows=table["rows"],
        file=table["file"],
        instrument=table["instrument"],
        columns=columns,
        head=_head(Path(site.package(package)["folder"]) / table["file"], [each.name for each in columns]),
    )


def _head(file: Path, columns: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    from pyarrow.parquet import ParquetFile

    with ParquetFile(file) as parquet:
        batch = next(parquet.iter_batches(FIRST_ROWS, columns=list(columns)), None)
        rows = [] if batch is None else batch.to_pylist()
    return tuple(tuple(row[name] for name in columns) for row in rows)


def column(name: str, form: Mapping[str, Any]) -> Column:
    """A column in the words of its schema."""
    said = form.get("tieout", {})
    kinds = form.get("type")
    if "enum" in form:
        kind = "one of " + ", ".join("null" if value is None else str(value) for value in form["enum"])
    else:
        kind = " or ".join([kinds] if isinstance(kinds, str) else kinds or ["anything"])
    if form.get("minimum") is not None or form.get("maximum") is not None:
        kind += f", {form.get('minimum', '…')} to {form.get('maximum', '…')}"
    role = ROLES.get(said.get("role", ""), "")
    if said.get("evaluator"):
        role += f" of {said['evaluator']}"
    return Column(
        name=name,
        type=kind,
        role=role,
        unit=said.get("unit", ""),
        says=form.get("description") or form.get("title") or "",
    )


def example_lines(package: Mapping[str, Any]) -> str:
    """What checks the package's hashes and opens its first table, as typed after unpacking."""
    first = next(iter(package["tables"].values()))["file"]
    return f"cd {package['name']}\nsha256sum -c SHA256SUMS\nduckdb -c \"FROM '{first}' LIMIT 5\""


def shell_example(site: Site) -> Html:
    """The lines of the first package, to be typed where its zip was unpacked."""
    return fill("shell-example.html.j2", lines=example_lines(next(iter(site.packages.values()))))


def packages(site: Site) -> Html:
    """Every package: what it is, from where, under which licence, its digest, its downloads."""
    found = []
    for package in site.report["packages"]:
        name = package["name"]
        zip_bytes = zipped(Path(site.package(name)["folder"]), name)
        found.append(
            {
                "report": package,
                "descriptor": site.package(name),
                "zip_size": len(zip_bytes),
                "zip_sha256": hashlib.sha256(zip_bytes).hexdigest(),
                "ledgers": [
                    book["document"]
                    for book in site.report["ledgers"]
                    if name in {each["name"] for each in book["packages"].values()}
                ],
            }
        )
    return fill("packages.html.j2", packages=found, ledgers=list(site.ledgers))


def package_links(site: Site, names: Sequence[str]) -> Html:
    """Where packages are described and downloaded."""
    return fill("package-links.html.j2", packages=[site.package(name) for name in names])


def citations(site: Site) -> Html:
    """How each package is cited, as CFF and as BibTeX."""
    found = [
        {"name": name, "cff": cff(package), "bibtex": bibtex(package)}
        for name, package in site.packages.items()
    ]
    return fill("citations.html.j2", packages=found)


def cff(package: Mapping[str, Any]) -> str:
    """A package's citation as a Citation File Format document."""
    people = [person["title"] for person in package.get("contributors", [])]
    lines = [
        "cff-version: 1.2.0",
        "type: dataset",
        f"title: {_quoted(package['title'])}",
        f"version: {_quoted(package['version'])}",
        f"date-released: {package['created']}",
        "authors:",
        *(f"  - name: {_quoted(name)}" for name in people or ["unknown"]),
        *(f"url: {_quoted(path)}" for path in _addresses(package)[:1]),
    ]
    return "\n".join(lines)


def bibtex(package: Mapping[str, Any]) -> str:
    """A package's citation for BibTeX."""
    people = " and ".join(f"{{{person['title']}}}" for person in package.get("contributors", []))
    fields = {
        "title": f"{{{package['title']}}}",
        "author": people or "{unknown}",
        "year": str(package["created"])[:4],
        "version": package["version"],
        "note": f"SHA-256 {package['digest']}" if package["digest"] else "",
        "url": next(iter(_addresses(package)), ""),
    }
    inside = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{package['name']},\n{inside}\n}}"


def _addresses(package: Mapping[str, Any]) -> list[str]:
    paths = (str(source.get("path", "")) for source in package.get("sources", []))
    return [path for path in paths if path.startswith(("https://", "http://"))]


def _quoted(text: object) -> str:
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
