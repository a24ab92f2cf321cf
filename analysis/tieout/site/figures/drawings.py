"""What Vega draws of a specification, drawn once: kept by the digest of all that it is drawn from."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

DRAWINGS = "TIEOUT_DRAWINGS"  # the environment variable that names the folder of kept drawings
VEGA_LITE = "6.4"
UNUSED = 30 * 24 * 3600  # seconds after which a drawing that no page asked for is not kept any longer


def drawn(spec: Mapping[str, Any]) -> str:
    """The SVG of a Vega-Lite specification as Vega writes it, from the folder of kept drawings where it is there."""
    text = json.dumps(spec, ensure_ascii=False)
    given = os.environ.get(DRAWINGS)
    if not given:
        return _draw(text)
    whole = f"{version('vl-convert-python')}\0{VEGA_LITE}\0{text}"
    kept = Path(given) / f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}.svg"
    if kept.is_file():
        os.utime(kept)
        return kept.read_text(encoding="utf-8")
    made = _draw(text)
    kept.parent.mkdir(parents=True, exist_ok=True)
    writing = kept.with_suffix(f".{os.getpid()}")
    writing.write_text(made, encoding="utf-8")
    writing.replace(kept)  # whoever reads it meanwhile finds all of it or nothing
    return made


def warm() -> None:
    """Makes ready what draws, which takes a third of a second the first time."""
    _draw(json.dumps({"mark": "point", "data": {"values": []}}))


def forget(folder: Path) -> None:
    """Removes from a folder of drawings those that no page asked for in a month."""
    for kept in folder.glob("*.svg"):
        if time.time() - kept.stat().st_mtime > UNUSED:
            kept.unlink(missing_ok=True)


def _draw(spec: str) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    return svg
