"""Seeds, the stacked dealer, and that chance enters nowhere else."""

import re
from pathlib import Path

import pytest

import sanssouci
from sanssouci.dealer import (
    BulkGame,
    BulkStream,
    FairDealer,
    FairStream,
    StackedDealer,
    new_seed,
    parse_seed,
    write_seed,
)
from sanssouci.locale import UserError
from sanssouci.rules import Variant


def test_seeds_are_integers_or_hex() -> None:
    """An integer, or 64 hex digits; both name the same 256 bits."""
    assert parse_seed("1") == parse_seed("0" * 63 + "1") == bytes(31) + b"\x01"
    assert parse_seed(str(2**256 - 1)) == b"\xff" * 32
    assert parse_seed(write_seed(bytes(range(32)))) == bytes(range(32))
    assert len(new_seed()) == 32 and new_seed() != new_seed()


@pytest.mark.parametrize("text", ["", "-1", "1.0", "0x1", "seed", "f" * 63, "f" * 65, str(2**256), "١", "1 "])
def test_what_is_no_seed_is_refused(text: str) -> None:
    """One sentence."""
    with pytest.raises(UserError, match="not a seed"):
        parse_seed(text)


def test_a_stacked_dealer_puts_things_on_top() -> None:
    """The rest of a pile keeps its natural order; what a pile does not hold cannot be on top."""
    dealer = StackedDealer({"tiles": [8, 8, 0], "deck/1": [19]})
    tiles = dealer.tiles(Variant())
    assert tiles[:3] == (8, 8, 0) and sorted(tiles) == sorted(StackedDealer().tiles(Variant()))
    decks = dealer.decks(Variant())
    assert decks[1][0] == 19 and decks[0] == tuple(sorted(decks[0]))
    assert dealer.missions(2) == ((0, 1), (2, 3))
    with pytest.raises(ValueError, match="does not hold"):
        StackedDealer({"tiles": [8] * 6}).tiles(Variant())


def test_what_is_no_seed_or_bound_is_refused_at_once() -> None:
    """256 bits for a seed, hex for a nonce, a bound that 32 bits can serve."""
    for call in (
        lambda: BulkGame(b"1", 1),
        lambda: BulkGame(bytes(32), -1),
        lambda: BulkGame(bytes(32), 2**64),
        lambda: FairDealer(b"1", "g", ()),
        lambda: FairDealer(bytes(32), "g", ("alice",)),
        lambda: BulkStream(1).below(0),
        lambda: BulkStream(1).below(2**33),
        lambda: FairStream(bytes(32), "g", (), "p").below(2**33),
    ):
        with pytest.raises(ValueError, match=r"seed|nonces|number below|no game"):
            call()


def test_no_other_chance_anywhere() -> None:
    """Python's random module is imported nowhere; secrets only where seeds and nonces are made, and ids.

    What the server draws is no chance of a game: tokens, the ids of tables, guests, requests and commands.
    """
    root = Path(sanssouci.__file__).parent
    imports = re.compile(r"^\s*(?:import|from)\s+(random|secrets|numpy\.random|uuid)\b", re.MULTILINE)
    found = {
        (path.relative_to(root).as_posix(), name)
        for path in root.rglob("*.py")
        for name in imports.findall(path.read_text(encoding="utf-8"))
    }
    ids = (
        "auth/tokens.py",
        "middleware/client_info.py",
        "routes/guests.py",
        "tables/membership.py",
        "tables/table_registry.py",
    )
    assert found == {
        ("dealer/seeds.py", "secrets"),
        ("cli/play.py", "secrets"),
        *((f"server/{name}", "secrets") for name in ids),
    }
