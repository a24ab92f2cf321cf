"""The conversations of Part II: tokens of each turn, and which turns were accepted, under both policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.relation_arcs import albums
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, ends, listed, number, points, span, times

if TYPE_CHECKING:
    from altair.typing import ChartType

OUTCOMES: Mapping[str, str] = {"accepted": "Accepted", "not": "Not accepted"}
LOOK = charts.Series(
    names=OUTCOMES,
    hues={"accepted": theme.SERIES["blue"], "not": theme.SERIES["vermillion"]},
    shapes={"accepted": "circle", "not": "cross"},
    dashes=dict.fromkeys(OUTCOMES, theme.SOLID),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A turn of a conversation about an album."""

    policy: str
    album: str
    turn: int
    accepted: bool
    tokens: int
    history: int


def figure(source: Source) -> Figure:
    """A panel a policy: tokens over turns, one line an album, marked by acceptance."""
    import pandas as pd

    titles, _ = albums(source)
    table = source.table(album.PACKAGE, "turns").sort_values(["policy", "album", "turn"])
    turns = [
        Turn(
            policy=row["policy"],
            album=titles[row["album"]],
            turn=int(row["turn"]),
            accepted=bool(row["accepted"]),
            tokens=int(row["input_tokens"] + row["output_tokens"]),
            history=int(row["history_tokens"]),
        )
        for row in table.to_dict("records")
    ]
    policies = [policy for policy in album.POLICIES if any(turn.policy == policy for turn in turns)]
    shown: dict[Part, Fraction | bool] = {}
    for policy in policies:
        own = [turn for turn in turns if turn.policy == policy]
        where = {"turns": {"policy": policy}}
        album.bind(shown, source, "turn_acceptance", where, _share(own))
        album.bind(shown, source, "accepted_turns", where, Fraction(sum(turn.accepted for turn in own)))
        album.bind(shown, source, "mean_turn_tokens", where, _mean(own))
        album.bind(shown, source, "total_turn_tokens", where, Fraction(sum(turn.tokens for turn in own)))
    album.bind(shown, source, "turn_count", {}, Fraction(len(turns)))
    data = pd.DataFrame(
        {
            "policy": [album.POLICIES[turn.policy] for turn in turns],
            "album": [turn.album for turn in turns],
            "turn": [turn.turn for turn in turns],
            "accepted": [turn.accepted for turn in turns],
            "tokens": [turn.tokens for turn in turns],
            "tokens of history": [turn.history for turn in turns],
        }
    )
    return Figure(
        name="conversations",
        title=_title(turns, policies),
        caption=_caption(source, turns, policies, shown),
        alt=_alt(turns, policies),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(turns, policies, wide=True),
        narrow=_chart(turns, policies, wide=False),
    )


def _of(turns: Sequence[Turn], policy: str) -> list[Turn]:
    return [turn for turn in turns if turn.policy == policy]


def _share(turns: Sequence[Turn]) -> Fraction:
    return Fraction(sum(turn.accepted for turn in turns), len(turns))


def _mean(turns: Sequence[Turn]) -> Fraction:
    return Fraction(sum(turn.tokens for turn in turns), len(turns))


def _score(turns: Sequence[Turn]) -> str:
    return f"{sum(turn.accepted for turn in turns)} of {len(turns)}"


def _title(turns: Sequence[Turn], policies: Sequence[str]) -> str:
    first, *rest = sorted(policies, key=lambda policy: _share(_of(turns, policy)), reverse=True)
    last = rest[-1]
    ratio = _mean(_of(turns, first)) / _mean(_of(turns, last))
    return (
        f"{album.POLICIES[first]} has {_score(_of(turns, first))} turns accepted, "
        f"{album.POLICIES[last].lower()} "
        f"{_score(_of(turns, last))}, at {times(ratio)} the tokens a turn"
    )


def _caption(
    source: Source, turns: Sequence[Turn], policies: Sequence[str], shown: dict[Part, Fraction | bool]
) -> str:
    names = {turn.album for turn in turns}
    sizes = [len(_of(turns, policy)) for policy in policies]
    sessions = {(turn.policy, turn.album) for turn in turns}
    return (
        f"{counted(len(sessions), 'conversation')}, one an album and policy "
        f"({counted(len(names), 'album')}); a line is a "
        "conversation, a point a turn with the input and output tokens of all its calls, the dashed "
        "line their mean. "
        f"{span(min(sizes), max(sizes))} turns a policy, so that one turn moves a share by "
        f"{points(Fraction(1, min(sizes)))}; turns of one conversation depend on each other. "
        f"{album.judges(source, album.refs(shown))} No conversation ran under a retriever with a cap."
    )


def _alt(turns: Sequence[Turn], policies: Sequence[str]) -> str:
    parts = [
        f"{album.POLICIES[policy]}: {_score(_of(turns, policy))} accepted, "
        f"{number(_mean(_of(turns, policy)))} tokens a "
        "turn on average. "
        + ends(
            "tokens",
            _of(turns, policy),
            lambda turn: Fraction(turn.tokens),
            lambda turn: f"turn {turn.turn} on {turn.album} ({number(turn.tokens)})",
        )
        for policy in policies
    ]
    return (
        "Line charts of tokens over turns, a panel for "
        f"{listed(album.POLICIES[policy] for policy in policies)}. {' '.join(parts)}"
    )


def _chart(turns: Sequence[Turn], policies: Sequence[str], *, wide: bool) -> ChartType:
    import altair as alt

    low, high = min(turn.tokens for turn in turns), max(turn.tokens for turn in turns)
    names = sorted({turn.album for turn in turns})
    last = max(turn.turn for turn in turns)
    panels = []
    for policy in policies:
        own = _of(turns, policy)
        rows = [
            {
                "album": turn.album,
                # the albums stand side by side, so that no point hides another
                "turn": round(turn.turn + (names.index(turn.album) - (len(names) - 1) / 2) * 0.14, 4),
                "tokens": turn.tokens,
                "series": OUTCOMES["accepted" if turn.accepted else "not"],
                "tip": f"{album.POLICIES[policy]}, {turn.album}, turn {turn.turn}: "
                f"{number(turn.tokens)} tokens, "
                f"{OUTCOMES['accepted' if turn.accepted else 'not'].lower()}",
            }
            for turn in own
        ]
        base = alt.Chart(charts.values(rows)).encode(
            x=alt.X(
                "turn:Q",
                title="Turn",
                scale=alt.Scale(domain=[0.6, last + 0.4], nice=False),
                axis=alt.Axis(values=list(range(1, last + 1)), format="d", grid=False),
            ),
            y=alt.Y(
                "tokens:Q",
                title="Tokens of the turn (logarithmic)",
                scale=alt.Scale(type="log", domain=[low / 1.25, high * 1.15], nice=False),
                axis=alt.Axis(format=",d", values=[2000, 3000, 5000, 10000, 20000, 30000]),
            ),
        )
        mean = alt.Chart(charts.values([{"mean": float(_mean(own))}]))
        layers = [
            base.mark_line(color=theme.AXIS, strokeWidth=1).encode(detail=alt.Detail("album:N")),
            mean.mark_rule(color=theme.INK, strokeDash=theme.DASHED).encode(y=alt.Y("mean:Q")),
            base.mark_point(filled=True, size=75, aria=True, stroke=theme.PAPER, strokeWidth=0.8).encode(
                color=LOOK.color("series"), shape=LOOK.shape("series"), description=alt.Description("tip:N")
            ),
        ]
        panels.append(
            alt.layer(*layers).properties(
                width=272 if wide else 285,
                height=250 if wide else 170,
                title=f"{album.POLICIES[policy]}: {_score(own)} accepted, mean {number(_mean(own))} tokens",
            )
        )
    return charts.beside(panels, wide=wide)
