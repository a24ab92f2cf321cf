"""Filters laid over each other."""

from __future__ import annotations

from tieout.layers import merge_where


def test_filters_merge_by_table_and_column_and_other_forms_replace() -> None:
    under = {"a": {"x": 1, "y": 2}, "b": "all", "c": [{"x": 1}]}
    over = {"a": {"y": 3}, "b": {"x": 1}, "c": {"x": 2}, "d": "all"}
    assert merge_where(under, over) == {"a": {"x": 1, "y": 3}, "b": {"x": 1}, "c": {"x": 2}, "d": "all"}
    assert under == {"a": {"x": 1, "y": 2}, "b": "all", "c": [{"x": 1}]}
