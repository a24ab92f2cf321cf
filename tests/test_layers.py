"""Filters laid over each other."""

from __future__ import annotations

from tieout.layers import merge_where


def test_filters_merge_by_table_and_column_and_other_forms_replace() -> None:
    under = {"a": {"x": 1, "y": 2}, "b": "all", "c": [{"x": 1}]}
    over = {"a": {"y": 3}, "b": {"x": 1}, "c": {"x": 2}, "d": "all"}
    assert merge_where(under, over) == {"a": {"x": 1, "y": 3}, "b": {"x": 1}, "c": [{"x": 2}], "d": "all"}
    assert under == {"a": {"x": 1, "y": 2}, "b": "all", "c": [{"x": 1}]}


def test_a_filter_over_alternatives_is_laid_over_each_of_them() -> None:
    either = {"trials": [{"policy": "plain", "task": "a"}, {"policy": "retry", "task": "b"}]}
    first = {"trials": {"trial": 1}}
    both = [{"policy": "plain", "task": "a", "trial": 1}, {"policy": "retry", "task": "b", "trial": 1}]
    assert merge_where(either, first) == {"trials": both}
    assert merge_where(first, either) == {"trials": both}


def test_alternatives_over_alternatives_are_each_over_each() -> None:
    under, over = [{"x": 1}, {"x": 2}], [{"y": 3}, {"x": 4}]
    joined = [{"x": 1, "y": 3}, {"x": 4}, {"x": 2, "y": 3}, {"x": 4}]
    assert merge_where({"a": under}, {"a": over}) == {"a": joined}
    assert merge_where({"a": under}, {"a": "all"}) == {"a": "all"}
