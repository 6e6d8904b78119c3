"""Seeds, the stacked dealer, and the absence of other randomness."""

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
    """A seed is an integer or 64 hex digits; both denote the same 256 bits."""
    assert parse_seed("1") == parse_seed("0" * 63 + "1") == bytes(31) + b"\x01"
    assert parse_seed(str(2**256 - 1)) == b"\xff" * 32
    assert parse_seed(write_seed(bytes(range(32)))) == bytes(range(32))
    assert len(new_seed()) == 32 and new_seed() != new_seed()


@pytest.mark.parametrize("text", ["", "-1", "1.0", "0x1", "seed", "f" * 63, "f" * 65, str(2**256), "١", "1 "])
def test_an_invalid_seed_is_refused(text: str) -> None:
    """Invalid seeds give a user error."""
    with pytest.raises(UserError, match="not a seed"):
        parse_seed(text)


def test_a_stacked_dealer_puts_things_on_top() -> None:
    """Stacked items come first, the rest in natural order; items outside the pile are refused."""
    dealer = StackedDealer({"tiles": [8, 8, 0], "deck/1": [19]})
    tiles = dealer.tiles(Variant())
    assert tiles[:3] == (8, 8, 0) and sorted(tiles) == sorted(StackedDealer().tiles(Variant()))
    decks = dealer.decks(Variant())
    assert decks[1][0] == 19 and decks[0] == tuple(sorted(decks[0]))
    assert dealer.missions(2) == ((0, 1), (2, 3))
    with pytest.raises(ValueError, match="does not hold"):
        StackedDealer({"tiles": [8] * 6}).tiles(Variant())


def test_invalid_arguments_are_refused_at_once() -> None:
    """Seeds have 256 bits, nonces are hex, and bounds fit in 32 bits."""
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


def test_no_other_source_of_randomness() -> None:
    """Only seeds, nonces, tokens and ids use ``secrets``; ``random`` is imported nowhere."""
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
        "reviews.py",
        "routes/guests.py",
        "tables/membership.py",
        "tables/presence.py",
        "tables/scheduler.py",
        "tables/table_registry.py",
    )
    assert found == {
        ("dealer/seeds.py", "secrets"),
        ("cli/play.py", "secrets"),
        ("arena/ray_executor.py", "secrets"),
        ("workers/cluster_pool.py", "secrets"),
        ("workers/queue_worker.py", "secrets"),
        *((f"server/{name}", "secrets") for name in ids),
    }
