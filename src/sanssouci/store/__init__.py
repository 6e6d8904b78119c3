"""The append-only log of all games on one data file: rows only, nothing of the game; see docs/store.md."""

from .backup import back_up
from .chain import GENESIS, check_chain, event_hash
from .changes import (
    AddGame,
    AddGuest,
    AddToken,
    AppendEvent,
    Bar,
    Change,
    DeleteGame,
    DropTokens,
    ForgetGuest,
    Hold,
    Release,
    RenameGuest,
    SeeGuest,
    Unbar,
    UpdateGame,
)
from .error import Conflict, Locked, Unavailable
from .exchange import Tally, export_games, import_games
from .inspection import Examine, inspect_file, inspect_game, inspect_games, inspect_guests
from .moment import Moment, moment_of
from .parcels import GameParcel, GuestParcel
from .reader import Reader
from .rows import (
    FIRST_OPEN,
    FIRST_OWN,
    BarredRow,
    EventRow,
    GameRow,
    GuestRow,
    HeldGame,
    HoldingRow,
    OpenPlace,
    OwnPlace,
    TokenKind,
    TokenRow,
)
from .store import Store

__all__ = [
    "FIRST_OPEN",
    "FIRST_OWN",
    "GENESIS",
    "AddGame",
    "AddGuest",
    "AddToken",
    "AppendEvent",
    "Bar",
    "BarredRow",
    "Change",
    "Conflict",
    "DeleteGame",
    "DropTokens",
    "EventRow",
    "Examine",
    "ForgetGuest",
    "GameParcel",
    "GameRow",
    "GuestParcel",
    "GuestRow",
    "HeldGame",
    "Hold",
    "HoldingRow",
    "Locked",
    "Moment",
    "OpenPlace",
    "OwnPlace",
    "Reader",
    "Release",
    "RenameGuest",
    "SeeGuest",
    "Store",
    "Tally",
    "TokenKind",
    "TokenRow",
    "Unavailable",
    "Unbar",
    "UpdateGame",
    "back_up",
    "check_chain",
    "event_hash",
    "export_games",
    "import_games",
    "inspect_file",
    "inspect_game",
    "inspect_games",
    "inspect_guests",
    "moment_of",
]
