"""Boards for training: every random one is a board that the rules accept."""

import numpy as np
import pytest

from sanssouci.kernel import Batch, GameSetup
from sanssouci.learning.boards import random_setup, shipped_setup, variants
from sanssouci.rules import Variant
from sanssouci.rules.deal import boar_square_refusal, squares_refusal
from sanssouci.rules.rewards import is_reward_side
from sanssouci.rules.variant import variant_refusal


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_variants_are_trained(seats: int) -> None:
    """Base, rewards, boar, both."""
    assert {(variant.rewards, variant.wild_boar) for variant in variants(seats)} == {
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    }
    assert all(variant_refusal(variant) is None for variant in variants(seats))


@pytest.mark.parametrize("variant", variants(2), ids=lambda variant: "+".join(variant.expansions) or "base")
def test_random_boards_are_legal(variant: Variant) -> None:
    """R2, R4, R29, R34."""
    setup = random_setup(variant, np.random.default_rng(1))
    for printed, back in setup.gardens.tolist():
        assert squares_refusal(0, printed) is None and boar_square_refusal(variant, 0, printed) is None
        assert back == -1
    assert all(is_reward_side(marks) for marks, _ in setup.rewards.tolist())
    assert len(setup.rewards) == (len(setup.gardens) if variant.rewards else 0)
    deck = int(setup.header[4])
    assert variant_refusal(Variant(2, variant.edition, deck=deck)) is None
    batch = Batch.deal(GameSetup(variant, *setup), bytes(32), 4)
    assert len(batch.legal_turns().turns) > 0


def test_random_boards_differ() -> None:
    """From each other, and from the shipped ones."""
    variant = variants(2)[0]
    one, two = (random_setup(variant, np.random.default_rng(seed)).gardens for seed in (1, 2))
    assert (
        len({*one[:, 0].tolist(), *two[:, 0].tolist(), *shipped_setup(variant).gardens[:, 0].tolist()}) > 40
    )
