"""What every figure keeps to: numbers that agree with claims, texts from values, HTML that a strict page can hold."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tieout.errors import Invalid
from tieout.site import figures as registry
from tieout.site.figures import album, charts, delivered_recall, make, names, theme
from tieout.site.figures.figure import Figure, cell, render
from tieout.site.figures.source import Folder, Ref
from tieout.site.model import UnknownName

MODULES = ROOT / "analysis" / "tieout" / "site" / "figures"
ANYWHERE = re.compile(r"https?:|//|@import|data:|javascript:|\bhref=|\bsrc=")
# numbers that the articles and receipts are known for, each with the figure that shows it, and where it is printed
KNOWN = [
    ("acceptance-tokens", "part-ii", "embedding-1600-accepted", Fraction(18, 20)),
    ("acceptance-tokens", "part-ii", "adaptive-tokens", Fraction(248067, 24)),
    ("acceptance-tokens", "part-ii", "adaptive-on-frontier", Fraction(0)),
    ("budget-curves", "part-ii-tables", "glance.embedding-1200.tokens", Fraction(53970, 24)),
    ("task-acceptance", "part-ii", "relational-contradiction-accepted", Fraction(1, 4)),
    ("task-tokens", "part-ii", "adaptive-negative-tokens", Fraction(47253, 4)),
    ("infest-calls", "part-ii", "infest-calls", Fraction(13)),
    ("infest-calls", "part-ii", "infest-tokens", Fraction(19831)),
    ("relation-arcs", "part-ii", "edges", Fraction(48)),
    ("conversations", "part-ii-tables", "conversations.adaptive.accepted", Fraction(15, 16)),
    ("theme-profiles", "part-i", "infest-units", Fraction(12)),
    ("pilot-tradeoff", "part-i", "recall-selective", Fraction(47, 72)),
    ("amortization", "part-ii", "pilot-amortization", Fraction(22300, 2449)),
    ("pass-hat-k", "tau-bench-readme", "results.airline-gpt-4o.pass4", Fraction(1, 5)),
    ("buffer-held", "buffer-lab", "fifo-tokens", Fraction(728)),
    ("tier-occupancy", "tiered-memory", "assembled-tokens", Fraction(6595)),
]


class Reader(HTMLParser):
    """Tags with their attributes, the ids, the rows of the data table, and the texts of svg's <desc>."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.rows: list[list[str]] = []
        self.descriptions: list[str] = []
        self._inside: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")
        if tag == "desc":
            self.descriptions.append("")
        self._inside.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] in {"td", "th"}:
            self.rows[-1][-1] += data
        if self._inside and self._inside[-1] == "desc":
            self.descriptions[-1] += data

    def ids(self) -> list[str]:
        return [attrs["id"] for _, attrs in self.tags if "id" in attrs]


def drawings(html: str) -> list[str]:
    return re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL)


def test_every_figure_can_be_made(figures: Mapping[str, Figure]) -> None:
    assert set(figures) == set(names())
    assert all(figure.name == name for name, figure in figures.items())


def test_every_chart_keeps_to_the_schema_of_vega_lite(figures: Mapping[str, Figure]) -> None:
    for figure in figures.values():
        for chart in (figure.chart, figure.narrow):
            assert chart.to_dict(validate=True)["$schema"].startswith(
                "https://vega.github.io/schema/vega-lite/v6"
            )


def test_an_unknown_figure_is_refused(source: Folder) -> None:
    with pytest.raises(UnknownName) as error:
        make("no-such-figure", source)
    assert str(error.value).startswith("no figure no-such-figure; there are acceptance-tokens, ")


@pytest.mark.parametrize(("figure", "ledger", "claim", "value"), KNOWN)
def test_a_known_number_is_the_figures_and_the_claims(
    figures: Mapping[str, Figure], source: Folder, figure: str, ledger: str, claim: str, value: Fraction
) -> None:
    assert figures[figure].shown[Ref(ledger, claim), "value"] == value
    assert Fraction(source.claim(ledger, claim)["value"]) == value


def test_the_order_permutation_shows_both_ends(figures: Mapping[str, Figure], source: Folder) -> None:
    shown = figures["order-permutation"].shown
    columns = source.claim("part-i", "order-infest")["columns"]
    for part in ("observed", "mean", "low", "high"):
        assert shown[Ref("part-i", "order-infest"), part] == Fraction(float(columns[part]))


def test_every_shown_number_is_the_value_in_the_report(figures: Mapping[str, Figure], source: Folder) -> None:
    for figure in figures.values():
        for (ref, part), own in figure.shown.items():
            claim = source.claim(*ref)
            text = claim["value"] if part == "value" else claim["columns"][part]
            assert own == (Fraction(text) if claim["exact"] else Fraction(float(text))), (
                figure.name,
                ref,
                part,
            )
            assert ref in figure.claims


def test_a_number_that_is_not_the_claims_stops_the_figure(source: Folder) -> None:
    report = json.loads(json.dumps(source.report))
    for ledger in report["ledgers"]:
        for claim in ledger["claims"]:
            if (ledger["document"], claim["id"]) == ("part-ii", "infest-tokens"):
                claim["value"] = "19832"
    with pytest.raises(Invalid) as caught:
        make("infest-calls", replace(source, report=report))
    assert str(caught.value) == (
        "infest-calls: figure infest-calls shows 19831, claim infest-tokens of part-ii holds 19832 (value)"
    )


def test_two_processes_give_the_same_bytes(pages: Mapping[str, str], source: Folder, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text(json.dumps(source.report), encoding="utf-8")
    # in another order, so that nothing can hang on how many were drawn before
    program = (
        "import json, sys; from pathlib import Path\n"
        "from tieout.site.figures import make, names\n"
        "from tieout.site.figures.figure import render\n"
        "from tieout.site.figures.source import Folder\n"
        "source = Folder.read(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "sys.stdout.write(json.dumps({name: render(make(name, source)) for name in reversed(names())}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(ROOT / "artifacts" / "packages"), str(report)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == dict(pages)


def test_rendering_again_gives_the_same_bytes(
    figures: Mapping[str, Figure], pages: Mapping[str, str]
) -> None:
    for name in ("order-permutation", "infest-calls", "relation-arcs"):
        assert render(figures[name]) == pages[name]


def test_ids_are_unique_on_a_page_with_all_figures_and_every_reference_is_met(
    pages: Mapping[str, str],
) -> None:
    page = "\n".join(pages.values())
    read = Reader(page)
    counted = Counter(read.ids())
    assert [name for name, times in counted.items() if times > 1] == []
    referred = {
        name
        for _, attrs in read.tags
        for attribute in ("aria-labelledby", "aria-describedby")
        for name in attrs.get(attribute, "").split()
    } | set(re.findall(r"url\(#([^)]+)\)", page))
    assert referred <= set(counted)


def test_ids_inside_a_drawing_bear_its_hash(pages: Mapping[str, str]) -> None:
    for html in pages.values():
        for drawing in drawings(html):
            found = Reader(drawing).ids()
            prefixes = {name.rpartition("-")[0] for name in found}
            assert len(prefixes) == 1
            assert re.fullmatch(r"f[0-9a-f]{10}", prefixes.pop())


def test_a_drawing_is_an_image_with_a_name_and_a_text_alternative(
    figures: Mapping[str, Figure], pages: Mapping[str, str]
) -> None:
    for name, html in pages.items():
        read = Reader(html)
        images = [attrs for tag, attrs in read.tags if tag == "svg"]
        assert [image["role"] for image in images] == ["img", "img"]
        assert {image["aria-labelledby"] for image in images} == {f"figure-{name}-title"}
        assert read.descriptions == [figures[name].alt] * 2
        assert all(image["viewbox"].startswith("0 0 ") for image in images)


def test_the_text_alternative_holds_the_extreme_values(figures: Mapping[str, Figure]) -> None:
    says = {
        "acceptance-tokens": ("1,145 tokens", "10,336 tokens", "18 of 20"),
        "budget-curves": ("1,413", "3,520", "18 of 20 at 1,600"),
        "task-acceptance": ("39%", "66%", "Adaptive (18)"),
        "task-tokens": ("520", "15,803"),
        "stage-tokens": ("613", "4,881"),
        "infest-calls": ("679", "2,970", "19,831"),
        "relation-arcs": ("15 positions", "Infest (1.7)"),
        "conversations": ("2,162", "31,950"),
        "theme-profiles": ("social critique (0.17)", "rupture (2.67)"),
        "order-permutation": ("0.560", "0.870"),
        "pilot-tradeoff": ("395.3 tokens", "3,456.6 tokens", "65.3%", "5.6%"),
        "amortization": ("69,132", "27,875", "9.11"),
        "pass-hat-k": ("0.420", "0.200"),
        "buffer-held": ("4,072", "796", "712"),
        "delivered-recall": ("6 of 29", "27 of 29"),
        "tier-occupancy": ("333", "899", "520"),
    }
    assert set(says) == set(figures)
    for name, parts in says.items():
        assert [part for part in parts if part not in figures[name].alt] == [], name


def test_nothing_in_a_drawing_comes_from_elsewhere_or_brings_style_or_script(
    pages: Mapping[str, str],
) -> None:
    for name, html in pages.items():
        assert len(drawings(html)) == 2
        for drawing in drawings(html):
            assert ANYWHERE.findall(drawing) == [], name
        for tag, attrs in Reader(html).tags:
            assert tag not in {"style", "script", "link", "image", "use", "foreignobject", "img"}, name
            assert not [key for key in attrs if key == "style" or key.startswith("on")], name


def test_every_paint_is_a_role_that_the_style_sheet_knows_in_both_looks(pages: Mapping[str, str]) -> None:
    css = (ROOT / "report" / "styles" / "figures.css").read_text(encoding="utf-8")
    light, by_system, by_choice = css.split("@media screen", 2)
    paints = {
        attrs[paint]
        for html in pages.values()
        for drawing in drawings(html)
        for _, attrs in Reader(drawing).tags
        for paint in ("fill", "stroke")
        if paint in attrs
    } - {"none"}
    roles = {found[1] for paint in paints if (found := re.fullmatch(r"var\((--fig-[a-z0-9-]+)\)", paint))}
    assert len(roles) == len(paints)
    for look in (light, by_system, by_choice):
        assert roles <= set(re.findall(r"(--fig-[a-z0-9-]+):", look))


def test_the_data_table_is_the_data(figures: Mapping[str, Figure], pages: Mapping[str, str]) -> None:
    for name, html in pages.items():
        data = figures[name].data
        head, *rows = Reader(html).rows
        assert head == list(data.columns)
        assert rows == [
            [cell(value) for value in row] for row in zip(*(data[c].tolist() for c in data), strict=True)
        ]
        for column, index in zip(data.columns, range(len(head)), strict=True):
            for value, row in zip(data[column].tolist(), rows, strict=True):
                if isinstance(value, float) and value == value:
                    assert float(row[index].replace(",", "").replace("−", "-")) == pytest.approx(
                        value, rel=2e-3
                    )


def test_claims_are_one_click_away(figures: Mapping[str, Figure], pages: Mapping[str, str]) -> None:
    for name, html in pages.items():
        links = [attrs["href"] for tag, attrs in Reader(html).tags if tag == "a"]
        assert links == [f"claims/{ref.ledger}/{ref.claim}.html" for ref in figures[name].claims]


def test_both_drawings_have_the_same_marks(pages: Mapping[str, str]) -> None:
    for name, html in pages.items():
        wide, narrow = (drawing.count('class="mark"') for drawing in drawings(html))
        assert wide == narrow, name
        assert drawings(html)[1].count("<title>") == 0
        assert drawings(html)[0].count("<title>") == wide


def test_names_come_out_as_they_are(figures: Mapping[str, Figure]) -> None:
    odd = "gpt_4_*|$x$<b>"
    html = render(replace(figures["pass-hat-k"], title=odd, alt=odd, caption=odd))
    assert html.count("gpt_4_*|$x$&lt;b&gt;") == 4
    assert odd not in html


def test_a_figure_weighs_little(pages: Mapping[str, str]) -> None:
    assert {name: len(html) for name, html in pages.items() if len(html.encode()) > 100_000} == {}


def prose() -> Iterator[tuple[str, int, str]]:
    """Literal texts of the figures' modules that have a blank in them, docstrings left out."""
    for path in sorted(MODULES.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documented = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and isinstance(node.body[0], ast.Expr)
        } | {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
                yield path.name, node.lineno, node.value


def test_no_number_is_typed_by_hand() -> None:
    typed = [
        (name, line, text)
        for name, line, text in prose()
        if name not in {"svg.py", "theme.py"} and " " in text.strip() and re.search(r"\d", text)
    ]
    assert typed == []


def test_the_registry_imports_no_chart_library() -> None:
    program = (
        "import sys; from tieout.site.figures import names; names();"
        "print([n for n in ('altair', 'pandas', 'vl_convert', 'jinja2') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert registry.names() == tuple(registry.MODULES)


@pytest.mark.parametrize("name", ["budget-curves", "delivered-recall", "amortization"])
def test_the_shapes_of_a_legend_are_drawn_without_the_dashes_of_its_lines(
    name: str, figures: Mapping[str, Figure]
) -> None:
    import vl_convert

    for chart in (figures[name].chart, figures[name].narrow):
        drawn = vl_convert.vegalite_to_vega(chart.to_dict())
        legends = [legend for part in (drawn, *drawn["marks"]) for legend in part.get("legends", [])]
        assert [legend["shape"] for legend in legends]
        assert not [legend for legend in legends if "strokeDash" in legend]


def drawn_rows(chart: object) -> list[dict[str, object]]:
    """The rows of every layer of a chart."""
    if isinstance(chart, list):
        return [row for part in chart for row in drawn_rows(part)]
    if not isinstance(chart, dict):
        return []
    own = chart["data"]["values"] if "values" in chart.get("data", {}) else []
    return [*own, *(row for key, part in chart.items() if key != "data" for row in drawn_rows(part))]


def test_every_edge_has_an_arc_of_its_own(figures: Mapping[str, Figure]) -> None:
    figure = figures["relation-arcs"]
    for chart in (figure.chart, figure.narrow):
        arcs: dict[tuple[str, object], list[object]] = {}
        for row in drawn_rows(chart.to_dict()):
            if "tip" in row:
                panel = str(row["tip"]).partition(",")[0]
                arcs.setdefault((panel, row["id"]), []).append((row["x"], row["y"]))
        paths = Counter((panel, *points) for (panel, _), points in arcs.items())
        assert len(arcs) == len(figure.data)
        assert [path for path, count in paths.items() if count > 1] == []


def test_every_setting_on_the_frontier_is_named_in_both_drawings(figures: Mapping[str, Figure]) -> None:
    figure = figures["acceptance-tokens"]
    front = set(figure.data["setting"][figure.data["on frontier"]])
    assert len(front) > 4
    for chart in (figure.chart, figure.narrow):
        assert front <= {row.get("text") for row in drawn_rows(chart.to_dict())}


def test_a_policy_looks_the_same_in_every_study() -> None:
    look = delivered_recall.LOOK
    assert (look.hues["tfidf"], look.shapes["tfidf"], look.dashes["tfidf"]) == (
        album.HUES["tfidf"],
        album.SHAPES["tfidf"],
        album.DASHES["tfidf"],
    )


@pytest.mark.parametrize("name", ["relation-arcs", "buffer-held"])
def test_a_line_in_a_legend_is_long_enough_for_its_dashes(name: str, figures: Mapping[str, Figure]) -> None:
    import vl_convert

    drawn = vl_convert.vegalite_to_vega(figures[name].chart.to_dict())
    legends = [legend for part in (drawn, *drawn["marks"]) for legend in part.get("legends", [])]
    assert {legend["symbolSize"] ** 0.5 for legend in legends} == {charts.SWATCH}
    assert max(map(sum, (theme.DASHED, theme.DOTTED, theme.DASHDOT))) * 2 <= charts.SWATCH
