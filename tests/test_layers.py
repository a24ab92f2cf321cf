"""Filters laid over each other."""

from __future__ import annotations

from tieout.layers import merge, merge_where


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


def test_a_formula_takes_nothing_of_what_recomputed_in_the_layers_before_it() -> None:
    row = {"metric": "acceptance", "where": {"trials": "all"}, "near": "Table 1"}
    column = {"formula": "a / b", "from": {"a": "x", "b": "y"}}
    assert merge(row, column) == {"near": "Table 1", **column}
    assert merge(row, column, {"metric": "success_rate"}) == {
        **row,
        "from": column["from"],
        "metric": "success_rate",
    }


def test_what_a_formula_brings_itself_is_kept_to_be_refused() -> None:
    own = {"formula": "a", "where": {"trials": "all"}}
    assert merge({"metric": "acceptance"}, own) == own
    assert merge({"formula": "a"}, {"where": {"trials": "all"}}) == own
