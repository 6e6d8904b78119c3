"""bulk/1: known values and uniform distributions."""

from collections import Counter
from hashlib import sha256

import pytest

from sanssouci.dealer import BulkGame, BulkStream, parse_seed, shuffled
from sanssouci.dealer.bulk import GAMMA, mix
from sanssouci.notation import LETTERS, write_card
from sanssouci.rules import Variant


def test_outputs_are_those_of_splitmix64() -> None:
    """Outputs equal the published values of SplitMix64 for the seed 1234567."""
    stream = BulkStream(1234567)
    assert [stream.output() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_the_keys_of_a_game_come_from_one_hash() -> None:
    """Word 0 of the hash is the key of the deal, word 1 that of the seats' streams."""
    digest = sha256(b"sanssouci bulk/1" + (7).to_bytes(32, "big") + (3).to_bytes(8, "big")).digest()
    game = BulkGame(parse_seed("7"), 3)
    play_key = int.from_bytes(digest[8:16], "big")
    for seat in range(4):
        key = mix((play_key + (seat + 1) * GAMMA) % 2**64)
        assert game.stream(seat).output() == mix((key + GAMMA) % 2**64)
    deal_key = int.from_bytes(digest[:8], "big")
    assert game.dealer().gardens(4, 4) == shuffled(range(4), BulkStream(deal_key))


def test_known_answers_of_a_deal() -> None:
    """Game 1 of seed 1 is dealt as shown in docs/chance.md."""
    game = BulkGame(parse_seed("1"), 1)
    stream = game.stream(3)
    assert [stream.below(10) for _ in range(12)] == [9, 2, 1, 6, 9, 5, 0, 2, 7, 1, 3, 6]
    dealer, variant = game.dealer(), Variant(2)
    assert dealer.gardens(4, 2) == (0, 1)
    assert dealer.missions(2) == ((3, 7), (8, 2))
    assert (
        " ".join(map(write_card, dealer.decks(variant)[0])) == "46 25 36 24 h 26 a 56 i 34 g c d b e 35 * f"
    )
    tiles = "".join(LETTERS[motif] for motif in dealer.tiles(variant))
    assert tiles == "afdgibfhecgdbbbagiehdhaccgheiffhdcgdbefeacaii"


def test_numbers_below_a_bound_are_uniform() -> None:
    """Numbers are uniform, also for bounds that do not divide a power of two."""
    stream = BulkStream(99)
    for bound in (1, 2, 3, 7, 10, 81):
        counts = Counter(stream.below(bound) for _ in range(400 * bound))
        assert set(counts) == set(range(bound))
        chi_squared = sum((count - 400) ** 2 / 400 for count in counts.values())
        assert chi_squared < bound + 6 * bound**0.5


def test_biased_outputs_are_rejected() -> None:
    """Lemire's rejection: a product whose lower half is too small is drawn again."""

    class Scripted(BulkStream):
        def __init__(self, outputs: list[int]) -> None:
            super().__init__(0)
            self.outputs = outputs

        def output(self) -> int:
            return self.outputs.pop(0)

    # 2**32 % 3 == 1: of all upper halves only 0 is rejected.
    assert Scripted([0, 5 << 32]).below(3) == 0
    scripted = Scripted([0, 0, (2**32 - 1) << 32])
    assert scripted.below(3) == 2 and scripted.outputs == []


def test_shuffles_are_uniform() -> None:
    """All 24 orders of four items occur about equally often."""
    counts = Counter(shuffled("abcd", BulkStream(mix(n))) for n in range(4800))
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 60


@pytest.mark.parametrize("number", [0, 1, 2**64 - 1])
def test_deals_are_reproducible(number: int) -> None:
    """The same seed and number give the same deal; another number gives another."""
    seed = parse_seed("5")
    tiles = BulkGame(seed, number).dealer().tiles(Variant())
    assert tiles == BulkGame(seed, number).dealer().tiles(Variant())
    assert tiles != BulkGame(seed, (number + 1) % 2**64).dealer().tiles(Variant())
