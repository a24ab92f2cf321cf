"""Formats are active, and say the same in the engine and in Python."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schema.conftest import Check, Query
from tieout.schema.formats import FORMATS, inactive


def engine(query: Query, name: str, text: str) -> bool:
    quoted = "'" + text.replace("'", "''") + "'"
    [[bad]] = query(f"SELECT {FORMATS[name].sql_bad('c')} FROM (SELECT {quoted} AS c)")
    return not bad


def test_every_format_is_active() -> None:
    assert inactive() == []


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("more", [{}, {"allOf": [True]}])
def test_every_format_refuses_its_bad_example_in_both_ways(
    check: Check, name: str, more: dict[str, object]
) -> None:
    form = FORMATS[name]
    report = check({"c": [form.good, form.bad, "not a date", None]}, {"c": {"format": name, **more}})
    assert [fault.row for fault in report.faults] == [1, 2]


DAYS = st.dates().map(str) | st.sampled_from(
    ["2023-02-29", "2024-02-29", "1900-02-29", "0000-02-29", "2026-13-01"]
)
HOURS = st.tuples(st.integers(0, 24), st.integers(0, 60), st.sampled_from([0, 59, 60, 61])).map(
    lambda parts: "{:02}:{:02}:{:02}".format(*parts)
)
LEAP = st.tuples(st.integers(0, 23), st.integers(0, 59)).map(lambda parts: "{:02}:{:02}:60".format(*parts))
OFFSETS = st.sampled_from(["Z", "z", "", "+00:00", "-08:00", "+05:45", "+24:00", "+5:00", "Z "])
TIMES = st.tuples(HOURS | LEAP, st.sampled_from(["", ".5", "."]), OFFSETS).map("".join)


@given(
    st.sampled_from(["date", "date-time", "time"]),
    st.one_of(DAYS, TIMES, st.tuples(DAYS, st.sampled_from(["T", "t", " "]), TIMES).map("".join)),
)
@settings(max_examples=300)
def test_times_are_the_same_in_the_engine_and_in_python(query: Query, name: str, text: str) -> None:
    assert engine(query, name, text) == FORMATS[name].matches(text)


@given(st.datetimes(), st.integers(-1439, 1439))
def test_a_leap_second_is_the_last_of_a_day_in_utc(query: Query, moment: dt.datetime, offset: int) -> None:
    local = moment + dt.timedelta(minutes=offset) if 1 < moment.year < 9999 else moment
    shift = offset if local is not moment else 0
    sign = "-" if shift < 0 else "+"
    text = f"{local:%H:%M}:60{sign}{abs(shift) // 60:02}:{abs(shift) % 60:02}"
    last = (moment.hour, moment.minute) == (23, 59)
    assert (FORMATS["time"].matches(text), engine(query, "time", text)) == (last, last)


@pytest.mark.parametrize("text", ["23:59:60Z", "15:59:60-08:00", "05:44:60.5+05:45", "00:00:60+00:01"])
def test_leap_seconds_are_taken_under_every_offset(query: Query, text: str) -> None:
    assert engine(query, "time", text)
    assert engine(query, "date-time", f"1998-12-31T{text}")


@given(st.text('ab.@-"[]:/?#%1 é', max_size=12), st.sampled_from(["email", "uri", "uuid"]))
@settings(max_examples=200)
def test_addresses_are_the_same_in_the_engine_and_in_python(query: Query, text: str, name: str) -> None:
    assert engine(query, name, text) == FORMATS[name].matches(text)
