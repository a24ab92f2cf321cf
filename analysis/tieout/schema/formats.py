"""Formats: each is a pattern of the common subset, so the engine and Python can't disagree about it.

`date`, `date-time` and `time` follow RFC 3339 (an offset is required), `uuid` RFC 4122, `email` RFC 5321, `uri`
RFC 3986.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tieout.schema.patterns import Pattern, common

_DATE = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
)
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_HOURS_MINUTES = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_FRACTION = r"(?:\.[0-9]+)?"
_TIME = f"{_HOURS_MINUTES}:[0-5][0-9]{_FRACTION}{_OFFSET}"
_LEAP_TIME = f"{_HOURS_MINUTES}:60{_FRACTION}{_OFFSET}"

_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}(?:\.{_BYTE}){{3}}"
_H16 = "[0-9A-Fa-f]{1,4}"
_LS32 = f"(?:{_H16}:{_H16}|{_IPV4})"
_IPV6 = (
    f"(?:(?:{_H16}:){{6}}{_LS32}|::(?:{_H16}:){{5}}{_LS32}|(?:{_H16})?::(?:{_H16}:){{4}}{_LS32}"
    f"|(?:(?:{_H16}:){{0,1}}{_H16})?::(?:{_H16}:){{3}}{_LS32}|(?:(?:{_H16}:){{0,2}}{_H16})?::(?:{_H16}:){{2}}{_LS32}"
    f"|(?:(?:{_H16}:){{0,3}}{_H16})?::{_H16}:{_LS32}|(?:(?:{_H16}:){{0,4}}{_H16})?::{_LS32}"
    f"|(?:(?:{_H16}:){{0,5}}{_H16})?::{_H16}|(?:(?:{_H16}:){{0,6}}{_H16})?::)"
)
_ATOM = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+"
_QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'
_LABEL = "[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?"
_EMAIL = rf"^(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})@(?:{_LABEL}(?:\.{_LABEL})*|\[(?:{_IPV4}|IPv6:{_IPV6})\])$"
_PCT = "%[0-9A-Fa-f]{2}"
_PCHAR = rf"(?:[0-9A-Za-z._~!$&'()*+,;=:@-]|{_PCT})"
_USERINFO = rf"(?:[0-9A-Za-z._~!$&'()*+,;=:-]|{_PCT})*"
_REG_NAME = rf"(?:[0-9A-Za-z._~!$&'()*+,;=-]|{_PCT})*"
_IP_LITERAL = rf"\[(?:{_IPV6}|v[0-9A-Fa-f]+\.[0-9A-Za-z._~!$&'()*+,;=:-]+)\]"
_URI = (
    rf"^[A-Za-z][0-9A-Za-z+.-]*:(?://(?:{_USERINFO}@)?(?:{_IP_LITERAL}|{_REG_NAME})(?::[0-9]*)?(?:/{_PCHAR}*)*"
    rf"|/(?:{_PCHAR}+(?:/{_PCHAR}*)*)?|{_PCHAR}+(?:/{_PCHAR}*)*)?"
    rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?$"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """A format: what it is, its pattern, and where hours stand in it if it may hold a leap second."""

    name: str
    says: str
    pattern: str
    good: str
    bad: str
    leap_pattern: str | None = None
    hours_at: int = 0

    def compiled(self) -> Pattern:
        """The pattern for both engines."""
        return _common(self.pattern)

    def matches(self, text: str) -> bool:
        """Whether the text has this format."""
        if self.compiled().python.search(text):
            return True
        if self.leap_pattern is None or not _common(self.leap_pattern).python.search(text):
            return False
        return _minute_in_utc(text, self.hours_at) == _LAST_MINUTE

    def sql_bad(self, column: str) -> str:
        """SQL that is true of a text without this format; `column` is a quoted name."""
        bad = f"NOT regexp_matches({column}, {_literal(self.compiled().re2)})"
        if self.leap_pattern is None:
            return bad
        leap = f"regexp_matches({column}, {_literal(_common(self.leap_pattern).re2)})"
        return f"({bad} AND NOT coalesce({leap} AND {_sql_minute(column, self.hours_at)} = {_LAST_MINUTE}, false))"


_LAST_MINUTE = 23 * 60 + 59  # a leap second is the last second of a day in UTC (RFC 3339, 5.7)

FORMATS = {
    found.name: found
    for found in (
        Format(
            name="date",
            says="a date like 2026-09-11",
            pattern=f"^{_DATE}$",
            good="2024-02-29",
            bad="2023-02-29",
        ),
        Format(
            name="date-time",
            says="a time with its offset, like 2026-09-11T08:30:00Z",
            pattern=f"^{_DATE}[Tt]{_TIME}$",
            leap_pattern=f"^{_DATE}[Tt]{_LEAP_TIME}$",
            hours_at=11,
            good="2026-09-11T08:30:00+05:30",
            bad="2026-09-11T08:30:00",
        ),
        Format(
            name="time",
            says="a time of day with its offset, like 08:30:00Z",
            pattern=f"^{_TIME}$",
            leap_pattern=f"^{_LEAP_TIME}$",
            good="08:30:00.5-08:00",
            bad="08:30:00",
        ),
        Format(
            name="uuid",
            says="a UUID like 2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            pattern="^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
            good="2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            bad="2eb8aa08aa9811eab4aa73b441d16380",
        ),
        Format(
            name="email",
            says="an e-mail address",
            pattern=_EMAIL,
            good="joe.bloggs@example.com",
            bad="joe..bloggs@example.com",
        ),
        Format(
            name="uri",
            says="a URI with its scheme",
            pattern=_URI,
            good="https://example.org/a?b=c#d",
            bad="//example.org/a b",
        ),
    )
}


def inactive() -> list[str]:
    """Names of formats that don't take their good example or don't refuse their bad one; must be empty."""
    return [name for name, form in FORMATS.items() if not form.matches(form.good) or form.matches(form.bad)]


@lru_cache(maxsize=64)
def _common(pattern: str) -> Pattern:
    found = common(pattern)
    if found is None:
        raise AssertionError(f"the pattern of a format is outside the common subset: {pattern}")
    return found


def _minute_in_utc(text: str, hours_at: int) -> int:
    minute = int(text[hours_at : hours_at + 2]) * 60 + int(text[hours_at + 3 : hours_at + 5])
    if text[-1] not in "Zz":
        offset = int(text[-5:-3]) * 60 + int(text[-2:])
        minute -= -offset if text[-6] == "-" else offset
    return minute % (24 * 60)


def _sql_minute(column: str, hours_at: int) -> str:
    def whole(text: str) -> str:
        return f"TRY_CAST({text} AS INTEGER)"

    minute = f"{whole(f'substr({column}, {hours_at + 1}, 2)')} * 60 + {whole(f'substr({column}, {hours_at + 4}, 2)')}"
    offset = f"({whole(f'substr(right({column}, 5), 1, 2)')} * 60 + {whole(f'right({column}, 2)')})"
    sign = f"CASE WHEN substr(right({column}, 6), 1, 1) = '-' THEN -1 ELSE 1 END"
    shift = f"CASE WHEN right({column}, 1) IN ('Z', 'z') THEN 0 ELSE {sign} * {offset} END"
    return f"(({minute} - {shift} + 2880) % 1440)"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
