"""What templates do to texts."""

from __future__ import annotations

import pytest

from tieout.site.templating import sentence, web


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("its trials are not in the package", "Its trials are not in the package."),
        ("Nobody kept it. ", "Nobody kept it."),
        ("why?", "Why?"),
    ],
)
def test_a_reason_is_told_as_a_sentence(text: str, told: str) -> None:
    assert sentence(text) == told


@pytest.mark.parametrize(
    ("address", "linked"),
    [
        ("https://example.org/a", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        (None, False),
    ],
)
def test_only_an_address_of_the_web_is_linked(address: str | None, linked: bool) -> None:
    assert web(address) == linked
