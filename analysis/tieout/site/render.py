"""From artifacts and pages to a site: gathered, rendered, completed, checked, and only then put in place."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.errors import CannotOpen, Invalid
from tieout.find import SITE_KEY
from tieout.freeze import write_beside
from tieout.site.assets import cache_folder, report_root, write_assets, write_search
from tieout.site.checks import site_faults
from tieout.site.downloads import write_downloads
from tieout.site.engines import Job, Progress, Project, RenderEngine
from tieout.site.engines.builtin.engine import Builtin
from tieout.site.engines.builtin.runner import Runner
from tieout.site.engines.builtin.source import read_page
from tieout.site.engines.quarto import Quarto, available
from tieout.site.figures.drawings import DRAWINGS, forget
from tieout.site.ledgerpages import write_ledger_pages
from tieout.site.model import REPORT, Site, gather
from tieout.site.project import open_project
from tieout.site.shell import Shell
from tieout.site.target import free


@dataclass(frozen=True, kw_only=True, slots=True)
class Rendered:
    """A site in place: where it begins, what was verified and with which exit code, whether anything had to be made."""

    index: Path
    exit_code: int
    made: bool
    engine: str
    report: Mapping[str, Any]


def render(
    root: Path,
    artifacts: Sequence[Path],
    *,
    engine: str = "auto",
    output: Path | None = None,
    cache: Path | None = None,
    audited: bool = False,
    progress: Progress = lambda *_: None,
) -> Rendered:
    """Renders the project in a folder over these artifacts; `engine` is auto, quarto or builtin.

    An unchanged site is left as it is. `cache` is where what can be made again is kept, by default in the project.
    With `audited` the pages hold what an audit finds; it is run again only when artifacts or code are others.
    Raises Invalid with page and line for what is wrong in a page or in the built site, CannotOpen where an engine is
    missing or fails, or where the site would take the place of anything but a site; the last good one stays then.
    """
    project = open_project(root)
    target = output or root / str(project.settings.get("project", {}).get("output-dir", "_site"))
    place = free(target, [*artifacts, *_sources(project)])
    cache = cache or cache_folder(root)
    chosen = _choose(engine)
    known = f"{data_key(artifacts)} audited={audited}"
    key = site_key(project, f"{known} {code_key()}", chosen)
    kept = cache / ("audited.json" if audited else "report.json")
    data = _kept(kept, known)
    if data is not None and _is(place / SITE_KEY, key):
        return _rendered(target, data, made=False, engine=chosen)
    drawings = cache.resolve() / "drawings"
    with _report_file() as report:
        environment = {REPORT: str(report), DRAWINGS: str(drawings)}
        with Runner(environment, str(root)) as runner:
            # A kernel takes a second or two until it is of use, and so does verification: both go on at once. More
            # kernels than one would only slow verification down.
            if data is None and chosen == Builtin.name and _runs(project):
                runner.begin(1)
            pages = [read_page(path) for path in project.pages]
            if data is None:
                data = gather(artifacts, progress=progress, audited=audited)
                _keep(kept, known, data)
            report.write_text(json.dumps(data, default=str), encoding="utf-8")
            site = Site(data)
            shell = Shell(project, site)
            made_by: RenderEngine = (
                Quarto(shell)
                if chosen == Quarto.name
                else Builtin(shell, runner, cache / "pages", f"{code_key()}:{site.stamp}")
            )
            with _in_place(place) as building:
                job = Job(project=project, pages=pages, output=building, environment=environment)
                try:
                    _build(made_by, job, shell, site, cache, progress)
                except BaseException:
                    runner.cancel()
                    raise
                (building / SITE_KEY).write_text(key, encoding="utf-8")
    forget(drawings)
    return _rendered(target, data, made=True, engine=chosen)


def _sources(project: Project) -> Iterator[Path]:
    """The files of a project, and the folders that its pages are in; the project's own holds its site as well."""
    yield project.root / "_quarto.yml"
    yield from project.pages
    yield from {page.parent for page in project.pages} - {project.root}


def _runs(project: Project) -> bool:
    return any("{python}" in page.read_text(encoding="utf-8") for page in project.pages)


def _build(engine: RenderEngine, job: Job, shell: Shell, site: Site, cache: Path, progress: Progress) -> None:
    output = job.output
    with ThreadPoolExecutor(max_workers=1) as beside:
        # Pages are run in a process of their own, which leaves time for those that are made of data alone.
        rendering = beside.submit(engine.render, job, progress)
        write_ledger_pages(shell, site, output)
        write_downloads(shell, site, output)
        write_assets(output, cache)
        rendering.result()
        progress("links and search", 0, 1)
        searching = beside.submit(write_search, output, cache)
        if faults := site_faults(output, site.stamp, job.project.pages):
            raise Invalid(faults)
        searching.result()


def _choose(engine: str) -> str:
    if engine == "auto":
        return "quarto" if available() else "builtin"
    if engine not in {"quarto", "builtin"}:
        raise CannotOpen(f"no engine `{engine}`; there are auto, quarto and builtin")
    return engine


def _rendered(target: Path, data: dict[str, Any], *, made: bool, engine: str) -> Rendered:
    return Rendered(
        index=target / "index.html",
        exit_code=data["exit"],
        made=made,
        engine=engine,
        report=data["report"],
    )


def _kept(file: Path, key: str) -> dict[str, Any] | None:
    """What was kept under this key; what cannot be read can be made again, as if it had never been kept."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    data: dict[str, Any] = found["data"]
    return data if found["key"] == key else None


def _keep(file: Path, key: str, data: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_beside(file, json.dumps({"key": key, "data": data}, default=str))


def site_key(project: Project, data: str, engine: str) -> str:
    """A hash of all that a site is made from: pages, styles, scripts, engine, and `data`, the keys of all the rest."""
    report = report_root()
    files = [project.root / "_quarto.yml", *project.pages, *_files([report / "styles", report / "web"])]
    return hashlib.sha256(f"{engine}\0{data}\0{_hash(files)}".encode()).hexdigest()


def data_key(artifacts: Sequence[Path]) -> str:
    """A hash of packages, ledgers and the code that verdicts, values and audits depend on: not of how pages look."""
    root = Path(__file__).resolve().parents[1]
    code = [path for path in _files([root]) if path.relative_to(root).parts[0] not in {"cli", "site"}]
    code += [root / "site" / name for name in ("behind.py", "model.py")]
    return hashlib.sha256(f"{_hash(code)}\0{_hash(_files(artifacts))}".encode()).hexdigest()


def code_key() -> str:
    """A hash of Tieout's own code, templates and metrics."""
    return _hash(_files([Path(__file__).resolve().parents[1]]))


def _files(folders: Sequence[Path]) -> list[Path]:
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and "node_modules" not in path.parts
    ]


def _hash(files: Sequence[Path]) -> str:
    whole = hashlib.sha256()
    for path in files:
        whole.update(f"{path}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _is(file: Path, text: str) -> bool:
    return file.is_file() and file.read_text(encoding="utf-8") == text


@contextmanager
def _report_file() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tieout-") as folder:
        yield Path(folder) / "report.json"


@contextmanager
def _in_place(target: Path) -> Iterator[Path]:
    """A folder to build in, put in the target's place when all went well; the old site stays until then."""
    target.parent.mkdir(parents=True, exist_ok=True)
    building = target.with_name(f".{target.name}.{os.getpid()}.part")
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    try:
        yield building
        if target.exists():
            target.rename(old)
        building.rename(target)
    except BaseException:
        if old.exists() and not target.exists():
            old.rename(target)
        raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
