"""Instruments are found by name: Tieout's own, then those of installed distributions, then not at all."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from tieout import instruments
from tieout.instruments import INSTRUMENTS, UnknownInstrument, load, order_permutation, threshold_selection


@pytest.mark.parametrize("name", INSTRUMENTS)
def test_each_of_our_own_is_there(name: str) -> None:
    assert callable(load(name))


def test_another_distribution_can_bring_one_but_not_take_the_place_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed = EntryPoints(
        EntryPoint(name, "tieout.instruments.threshold_selection:run", instruments.GROUP)
        for name in ("other", "order-permutation")
    )
    monkeypatch.setattr("importlib.metadata.entry_points", installed.select)
    assert load("other") is threshold_selection.run
    assert load("order-permutation") is order_permutation.run


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(UnknownInstrument) as caught:
        load("crystal-ball")
    assert str(caught.value).startswith("no instrument is called 'crystal-ball': Tieout has ")
    assert all(name in str(caught.value) for name in INSTRUMENTS)
