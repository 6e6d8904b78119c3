"""Shares of an exhaustive run: they are disjoint and together complete."""

import pytest

from .share import WHOLE, Share


@pytest.mark.parametrize("of", [1, 2, 5, 12])
def test_every_test_is_in_one_share(of: int) -> None:
    """Each test is in exactly one share, and no share of many tests is empty."""
    shares = [Share(number, of) for number in range(1, of + 1)]
    names = [f"tests/test_{number}.py::test" for number in range(400)]
    assert all(sum(name in share for share in shares) == 1 for name in names)
    assert all(any(name in share for name in names) for share in shares)


def test_rounds_are_shared_out() -> None:
    """All shares together have at least all rounds, and each share has another seed."""
    shares = [Share(number, 7) for number in range(1, 8)]
    assert sum(share.part(1000) for share in shares) >= 1000
    assert len({share.seed for share in shares}) == 7
    assert WHOLE.part(1000) == 1000 and WHOLE.is_whole and not shares[0].is_whole


def test_a_share_is_written_as_a_fraction() -> None:
    """Text other than a fraction up to 1 is refused with an example."""
    assert Share.parse("3/5") == Share(3, 5) and str(Share(3, 5)) == "3/5"
    for text in ("", "3", "0/5", "6/5", "3/5/7", "-1/5", "a/b"):
        with pytest.raises(ValueError, match="3/5"):
            Share.parse(text)
