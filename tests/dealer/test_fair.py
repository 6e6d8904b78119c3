"""fair/1: known answers, and a second writing of the scheme in a few lines."""

import hmac
import json
from hashlib import sha256

import pytest

from sanssouci.dealer import FairDealer, FairStream, commitment
from sanssouci.notation import LETTERS, write_card
from sanssouci.rules import Variant

SEED = bytes(range(32))
NONCES = ("aa", "bb")


def test_known_answers() -> None:
    """Seed 000102..1f, game g1, nonces aa and bb; docs/chance.md shows the same."""
    assert commitment(SEED, "g1") == "0f5153c327a8c334291975eaebab99d8fad00c12484d4aa79bab9345ece05641"
    stream = FairStream(SEED, "g1", NONCES, "tiles")
    assert [stream.word() for _ in range(9)] == [
        *(4262842617, 468555884, 3849909596, 3198718929, 3358278585),
        *(4069333124, 1211427820, 993274476, 868856019),
    ]
    dealer = FairDealer(SEED, "g1", NONCES)
    assert dealer.first_seat(2) == 1
    assert dealer.gardens(4, 2) == (2, 1)
    assert dealer.missions(2) == ((8, 5), (2, 6))
    assert dealer.rewards(4, 2) == (2, 1)
    deck = " ".join(write_card(card) for card in dealer.decks(Variant())[1])
    assert deck == "a d b 26 25 34 g 24 * h 36 i 46 e 35 f c 56"
    tiles = "".join(LETTERS[motif] for motif in dealer.tiles(Variant()))
    assert tiles == "iddehbhbceaaadhcdbhgfcefebibggfcegchagidiiffa"


def test_the_scheme_written_a_second_time() -> None:
    """From its description alone: HMAC blocks, rejected words, one of those that are left."""

    def deal(pile: str, items: list[str]) -> str:
        words = []
        for block in range(20):
            message = json.dumps(["sanssouci fair/1", "g1", list(NONCES), pile, block], separators=(",", ":"))
            digest = hmac.new(SEED, message.encode(), sha256).digest()
            words += [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
        order = ""
        while len(items) > 1:
            while (word := words.pop(0)) >= 2**32 - 2**32 % len(items):
                pass
            chosen = word % len(items)
            order += items[chosen]
            items[chosen] = items[0]
            items = items[1:]
        return order + items[0]

    dealt = FairDealer(SEED, "g1", NONCES).tiles(Variant())
    assert deal("tiles", [letter for letter in LETTERS for _ in range(5)]) == "".join(
        LETTERS[m] for m in dealt
    )


def test_words_that_would_favour_small_numbers_are_passed_over() -> None:
    """Rejection: from the largest multiple of the bound upwards."""

    class Scripted(FairStream):
        def __init__(self, words: list[int]) -> None:
            super().__init__(SEED, "", (), "")
            self.script = words

        def word(self) -> int:
            return self.script.pop(0)

    assert Scripted([2**32 - 1, 2**32 - 1, 5]).below(3) == 2
    assert Scripted([2**32 - 2]).below(3) == 2


@pytest.mark.parametrize(
    "other",
    [
        FairDealer(bytes(32), "g1", NONCES),
        FairDealer(SEED, "g2", NONCES),
        FairDealer(SEED, "g1", ("aa", "bc")),
        FairDealer(SEED, "g1", ("aabb", "")),
    ],
)
def test_seed_game_and_every_nonce_matter(other: FairDealer) -> None:
    """Each of them changes the deal; piles are independent of each other."""
    one = FairDealer(SEED, "g1", NONCES)
    assert one.tiles(Variant()) != other.tiles(Variant())
    assert one.decks(Variant())[0] != one.decks(Variant())[1]


def test_the_commitment_does_not_depend_on_the_nonces() -> None:
    """It is published before they are known, and binds seed and game."""
    assert FairDealer(SEED, "g1", ("", "00")).commitment == commitment(SEED, "g1")
    assert len({commitment(SEED, "g1"), commitment(SEED, "g2"), commitment(bytes(32), "g1")}) == 3
