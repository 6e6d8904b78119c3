"""fair/1, fair/2 and fair/3: known values, and an independent implementation of the schemes."""

import hmac
import json
from hashlib import sha256

import pytest

from sanssouci.dealer import (
    FAIR_2,
    FAIR_3,
    SCHEMES,
    FairDealer,
    FairStream,
    Scheme,
    commitment,
    deal_commitment,
    deal_terms,
    nonce_commitment,
)
from sanssouci.notation import LETTERS, write_card
from sanssouci.rules import Variant

SEED = bytes(range(32))
NONCES = ("aa", "bb")
BOSQUET = "095ad7e7e989eca0eaaa66981c35a8171df734055c1f8418a047ec7635d166bb"
"""The hash of the boards of that name."""


def test_known_answers() -> None:
    """Seed 000102..1f, game g1, nonces aa and bb are dealt as shown in docs/chance.md."""
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


def test_known_answers_of_fair_2() -> None:
    """The same seed and game, a computer player between two people; docs/chance.md shows the same."""
    nonces = ("aa" * 16, "", "bb" * 16)
    dealer = FairDealer(SEED, "g1", nonces, FAIR_2)
    seed = "837b2a598338c6d19411ebcc9a674688f2e17a586bf5a3842de56296639ed5f6"
    of_nonces = [
        "f0d185878a9b7ec58a14486c7c497c4482c875e2b8a0403ea94c5865a4008fe7",
        "",
        "6034ba4c99d93f55eff46664af2ffe75a3bee97ed6e001c8848b82fdc8b38193",
    ]
    assert commitment(SEED, "g1", FAIR_2) == dealer.commitment == seed
    assert [nonce_commitment("g1", seed, *of, scheme=FAIR_2) for of in enumerate(nonces)] == of_nonces
    deal = "68bbdcd4d5141f11b5bee8f76322fd9ba83d886a9c11edf97f0d3f4e1431507c"
    assert deal_commitment("g1", seed, of_nonces, FAIR_2, None) == dealer.deal_commitment == deal
    stream = FairStream(SEED, "g1", nonces, "tiles", FAIR_2)
    assert [stream.word() for _ in range(3)] == [1950167782, 916942379, 494334732]
    tiles = "".join(LETTERS[motif] for motif in dealer.tiles(Variant(3)))
    assert tiles == "bcacicgfidhbegcgcdhbdceabehgfafaidfdfcabddegbfheggahfiiieaehihb"
    assert dealer.first_seat(3) == 2


def test_the_commitments_of_fair_2_written_a_second_time() -> None:
    """SHA-256 of a JSON array in ASCII without spaces."""

    def hashed(*parts: object) -> str:
        return sha256(json.dumps(parts).replace(", ", ",").encode()).hexdigest()

    seed = hashed("sanssouci fair/2 commitment", "g1", SEED.hex())
    first = hashed("sanssouci fair/2 nonce", "g1", seed, 0, "aa" * 16)
    deal = hashed("sanssouci fair/2 deal", "g1", seed, [first, ""])
    assert FairDealer(SEED, "g1", ("aa" * 16, ""), FAIR_2).deal_commitment == deal


def test_known_answers_of_fair_3() -> None:
    """The same with the terms of a table: the start is drawn, or chair 1 starts; as in docs/chance.md."""
    nonces = ("aa" * 16, "", "bb" * 16)
    seed = "d7263d7e0936ce2e81c4a44df1acee341b03fc544ecab3a388d5fa232ee83612"
    of_nonces = [
        "b2af4a4e6410ed0f5568c8b587b14221abe5cad20bc782c091dc24981d87b82a",
        "",
        "bd0a390e6c56f1f811904b35b51e4aab235a348e4a400d1a6b93b313c4f14e4f",
    ]
    assert commitment(SEED, "g1", FAIR_3) == seed
    assert [nonce_commitment("g1", seed, *of, scheme=FAIR_3) for of in enumerate(nonces)] == of_nonces
    for first, deal in (
        (None, "e971614790fe873aa4f87e9d94a4d62a82c0b12bf8efceee0a3e341f6bdfeeeb"),
        (1, "765633ff8e96e4c46108ec4472686d232addeb81a0a3f215e4ca7c6de1217333"),
    ):
        terms = deal_terms(Variant(3, "imperial", True, True), BOSQUET, first)
        dealer = FairDealer(SEED, "g1", nonces, FAIR_3, terms)
        assert deal_commitment("g1", seed, of_nonces, FAIR_3, terms) == dealer.deal_commitment == deal
    stream = FairStream(SEED, "g1", nonces, "tiles", FAIR_3)
    assert [stream.word() for _ in range(3)] == [3633024916, 2646329102, 3535315734]
    tiles = "".join(LETTERS[motif] for motif in dealer.tiles(Variant(3)))
    assert tiles == "befcaaghadbagccebbhgdghhaggiiihfecdfedifaaccegdehbeiifbhicdffbd"
    assert dealer.first_seat(3) == 0


def test_the_deal_commitment_of_fair_3_binds_every_term() -> None:
    """Two tables that differ in one of them never have the same; without terms there is none."""
    variants = (
        Variant(2, "imperial"),
        Variant(3, "imperial"),
        Variant(2),
        Variant(2, "imperial", rewards=True),
        Variant(2, "imperial", wild_boar=True),
    )
    terms = [deal_terms(variant, BOSQUET, first) for variant in variants for first in (None, 0, 1)]
    terms.append(deal_terms(variants[0], BOSQUET[::-1], None))
    dealers = [FairDealer(SEED, "g1", NONCES, FAIR_3, one) for one in (*terms, None)]
    assert len({dealer.deal_commitment for dealer in dealers[:-1]}) == 16
    with pytest.raises(ValueError, match="terms"):
        _ = dealers[-1].deal_commitment


def test_a_nonce_commitment_binds_game_seed_chair_and_nonce() -> None:
    """So it cannot be copied to another chair or table, or used again for another seed."""
    seeds = [commitment(seed, "g1", FAIR_2) for seed in (SEED, bytes(32))]
    assert len({commitment(SEED, "g1", scheme) for scheme in SCHEMES}) == 3
    others = {
        nonce_commitment("g1", seeds[0], 0, "aa" * 16, FAIR_2),
        nonce_commitment("g2", seeds[0], 0, "aa" * 16, FAIR_2),
        nonce_commitment("g1", seeds[1], 0, "aa" * 16, FAIR_2),
        nonce_commitment("g1", seeds[0], 1, "aa" * 16, FAIR_2),
        nonce_commitment("g1", seeds[0], 0, "ab" * 16, FAIR_2),
        nonce_commitment("g1", seeds[0], 0, "aa" * 16, FAIR_3),
    }
    assert len(others) == 6


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_independent_implementation_agrees(scheme: Scheme) -> None:
    """A second implementation, written from the description, deals the same tiles."""

    def deal(pile: str, items: list[str]) -> str:
        words = []
        for block in range(20):
            message = json.dumps(
                [f"sanssouci {scheme}", "g1", list(NONCES), pile, block], separators=(",", ":")
            )
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

    dealt = FairDealer(SEED, "g1", NONCES, scheme).tiles(Variant())
    assert deal("tiles", [letter for letter in LETTERS for _ in range(5)]) == "".join(
        LETTERS[m] for m in dealt
    )


def test_biased_words_are_rejected() -> None:
    """Words from the largest multiple of the bound upwards are rejected."""

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
        FairDealer(SEED, "g1", NONCES, FAIR_2),
        FairDealer(SEED, "g1", NONCES, FAIR_3),
    ],
)
def test_scheme_seed_game_and_every_nonce_matter(other: FairDealer) -> None:
    """Scheme, seed, game and every nonce change the deal; piles are independent of each other."""
    one = FairDealer(SEED, "g1", NONCES)
    assert one.tiles(Variant()) != other.tiles(Variant())
    assert one.decks(Variant())[0] != one.decks(Variant())[1]


def test_the_commitment_does_not_depend_on_the_nonces() -> None:
    """The commitment binds seed and game; it is published before the nonces are known."""
    assert FairDealer(SEED, "g1", ("", "00")).commitment == commitment(SEED, "g1")
    assert len({commitment(SEED, "g1"), commitment(SEED, "g2"), commitment(bytes(32), "g1")}) == 3
