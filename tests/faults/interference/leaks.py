"""Planted leaks: each reveals something hidden, at one place of the server."""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from starlette.responses import Response

from sanssouci.locale import UserError
from sanssouci.notation import write_options, write_setup_view
from sanssouci.rules import Refused, State
from sanssouci.server.auth.tokens import Token
from sanssouci.server.error_responses import json_response
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.routes import tables
from sanssouci.server.tables import listing, live_table, table_registry
from sanssouci.server.tables.live_table import LiveTable
from sanssouci.server.tables.membership import CreatedTable, Membership
from sanssouci.server.tables.table_registry import CommandRequest, CommandResult, TableRegistry
from sanssouci.table import (
    Event,
    Pick,
    Reveal,
    TableState,
    Viewer,
    chairs,
    public_events,
    table,
    views,
    write_summary,
)

from .difference import Hidden
from .paired_server import PairedServer
from .stacked import StackedCroupier

Patch = pytest.MonkeyPatch
Json = Any
Leak = Callable[[Patch], None]
"""Plants the leak with a monkeypatch."""


def _extend_views(patch: Patch, more: Callable[[LiveTable], Json]) -> None:
    """Every view contains something more."""
    view = LiveTable.view
    patch.setattr(
        LiveTable, "view", lambda self, viewer, public=None: view(self, viewer, public) | more(self)
    )


def _after_commands(patch: Patch, more: Callable[[Event], None]) -> None:
    """Run a function after every executed command."""
    command = TableRegistry.command

    async def leak_more(self: TableRegistry, *args: Any) -> CommandResult:
        done = await command(self, *args)
        more(done.event)
        return done

    patch.setattr(TableRegistry, "command", leak_more)


def _hands(table_state: TableState) -> str:
    return "" if table_state.game is None else str(table_state.game.hands)


def hand_in_view(patch: Patch) -> None:
    """A view contains all hands."""
    _extend_views(patch, lambda table: {"hands": _hands(table.table.state)})


def missions_in_list(patch: Patch) -> None:
    """A list of tables contains the dealt missions, and lists are not validated."""
    patch.setattr(listing, "validator", lambda _: SimpleNamespace(validate_python=lambda row: row))
    patch.setattr(
        table_registry,
        "write_summary",
        lambda table_state: (
            write_summary(table_state) | {"missions": getattr(table_state.setup, "missions", None)}
        ),
    )


def draw_for_all(patch: Patch) -> None:
    """Everyone sees which card was drawn."""
    write_original: Any = public_events.public_event

    def write_leak(before: TableState | None, event: Event, after: TableState) -> Any:
        result = write_original(before, event, after)
        return replace(result, public=result.public | (result.own or {}))

    patch.setattr(table, "public_event", write_leak)


def pick_in_event(patch: Patch) -> None:
    """Everyone sees which side was picked."""
    write_original: Any = public_events.public_event

    def write_leak(before: TableState | None, event: Event, after: TableState) -> Any:
        result, command = write_original(before, event, after), event.command
        more = {"side": command.side} if isinstance(command, Pick) else {}
        return replace(result, public=result.public | more)

    patch.setattr(table, "public_event", write_leak)


def picks_in_view(patch: Patch) -> None:
    """Sides are shown before everyone has picked."""
    write_game: Any = views._write_game

    def write_with_picks(table_state: TableState, viewer: Viewer, public: Json) -> Json:
        setup, game = table_state.setup, write_game(table_state, viewer, public)
        if setup is None or table_state.game is not None:
            return game
        view = replace(setup.view(None), garden_sides=setup.garden_sides, reward_sides=setup.reward_sides)
        return game | {"setup": write_setup_view(view)}

    patch.setattr(views, "_write_game", write_with_picks)


def next_tile_in_view(patch: Patch) -> None:
    """A view contains the next tile, which only the croupier knows."""

    def next_tile(table: LiveTable) -> Json:
        table_state = table.table.state
        return {} if table_state.game is None else {"next": table.croupier.answer("refill", table_state)}

    _extend_views(patch, next_tile)


def pouch_in_event(patch: Patch) -> None:
    """Every event contains the last tile of the pouch."""
    update = LiveTable.update

    def leak_more(self: LiveTable, viewer: Viewer, after: int, public: Json | None = None) -> bytes:
        dealer = self.croupier.dealer(self.table.state.nonces)
        last = dealer.tiles(self.table.state.variant)[-1]
        return b'{"last": %d, %b' % (last, update(self, viewer, after, public)[1:])

    patch.setattr(LiveTable, "update", leak_more)


def hand_in_error(patch: Patch) -> None:
    """An error message contains all hands."""
    command = TableRegistry.command

    async def leak_more(self: TableRegistry, table: LiveTable, request: CommandRequest) -> CommandResult:
        try:
            return await command(self, table, request)
        except (UserError, Refused):
            raise UserError("server.player_not_allowed", name=_hands(table.table.state)) from None

    patch.setattr(TableRegistry, "command", leak_more)


def answers_in_log(patch: Patch) -> None:
    """A log line contains the answers of chance, under an inconspicuous name."""
    log = structlog.get_logger("sanssouci.server")
    _after_commands(patch, lambda event: log.info("moved", what=str(sorted(event.answers.items()))))


def nonce_in_log(patch: Patch) -> None:
    """A log line contains a nonce, short enough not to look like a token."""
    log = structlog.get_logger("sanssouci.server")

    def quote(event: Event) -> None:
        log.debug("command", what=str(getattr(event.command, "nonce", ""))[:16])

    _after_commands(patch, quote)


def nonce_in_event(patch: Patch) -> None:
    """A nonce is told to everyone when it is revealed to the server."""
    tell: Any = public_events.public_event

    def tell_all(before: TableState | None, event: Event, after: TableState) -> Any:
        told, command = tell(before, event, after), event.command
        more = {"nonce": command.nonce} if isinstance(command, Reveal) else {}
        return replace(told, public=told.public | more)

    patch.setattr(table, "public_event", tell_all)


def seed_in_link(patch: Patch) -> None:
    """The join link is derived from the seed."""
    create = Membership.create

    async def create_with_seed(self: Membership, *args: Any) -> CreatedTable:
        opened = await create(self, *args)
        return replace(opened, join=Token(urlsafe_b64encode(opened.live_table.croupier._seed).decode()[:43]))

    patch.setattr(Membership, "create", create_with_seed)


def seed_in_key(patch: Patch) -> None:
    """The key of computer players is the seed."""
    patch.setattr(StackedCroupier, "key", lambda self, purpose: self._seed)


def padding(patch: Patch) -> None:
    """The length of a message depends on the number of legal turns."""
    update = LiveTable.update

    def padded_update(self: LiveTable, viewer: Viewer, after: int, public: Json | None = None) -> bytes:
        state = self.table.state.game
        return update(self, viewer, after, public) + b" " * (
            0 if state is None else len(list(state.options()))
        )

    patch.setattr(LiveTable, "update", padded_update)


def options_of_another(patch: Patch) -> None:
    """Everyone gets the options of the seat to move."""
    write_game: Any = views._write_game

    def write_with_options(table_state: TableState, viewer: Viewer, public: Json) -> Json:
        state, game = table_state.game, write_game(table_state, viewer, public)
        own = None if state is None or state.over else write_options(state.view(state.to_move).options())
        return game | {"options": own}

    patch.setattr(views, "_write_game", write_with_options)


def view_of_piles(patch: Patch) -> None:
    """The unplayed cards in a view are the hands, for players and hints too."""
    view = State.view
    patch.setattr(State, "view", lambda self, seat: replace(view(self, seat), unplayed=self.hands))


def nonce_in_view(patch: Patch) -> None:
    """A chair is shown with its nonce."""
    write = chairs.write_chair
    patch.setattr(views, "write_chair", lambda chair, *rest: write(chair, *rest) | {"nonce": chair.nonce})


def id_from_draw(patch: Patch) -> None:
    """An event has an id derived from the answers of chance."""
    write_original: Any = public_events.public_event

    def write_with_id(before: TableState | None, event: Event, after: TableState) -> Any:
        result, mark = write_original(before, event, after), sha256(repr(event.answers).encode()).hexdigest()
        return replace(result, public=result.public | {"id": mark})

    patch.setattr(table, "public_event", write_with_id)


def etag(patch: Patch) -> None:
    """A header contains a hash of everything that the server knows of a table."""
    etag_value, view = [""], LiveTable.view

    def view_with_hash(self: LiveTable, viewer: Viewer, public: Json | None = None) -> Json:
        etag_value[0] = sha256(repr(self.table.state.states).encode()).hexdigest()
        return view(self, viewer, public)

    def respond_with_etag(
        document: object, status: int = 200, headers: dict[str, str] | None = None
    ) -> Response:
        return json_response(document, status, {**(headers or {}), "etag": etag_value[0]})

    patch.setattr(LiveTable, "view", view_with_hash)
    patch.setattr(tables, "json_response", respond_with_etag)


def tokens_in_view(patch: Patch) -> None:
    """A view contains the hashes of all links."""
    _extend_views(
        patch,
        lambda table: {
            "links": sorted(row.hash for row in PairedServer.current.store.tokens(table.table.id))
        },
    )


def hand_in_metrics(patch: Patch) -> None:
    """The metrics count turns by hands."""
    command = Metrics.command

    def count_hands(self: Metrics, kind: str, outcome: str) -> None:
        command(self, kind, outcome)
        for each in PairedServer.current.services.registry.live_tables():
            self.limited(_hands(each.table.state))

    patch.setattr(Metrics, "command", count_hands)


def mission_in_refusal(patch: Patch) -> None:
    """The refusal of a record depends on the missions."""

    def refuse_with_missions(table_state: TableState) -> Any:
        missions = table_state.setup.missions if table_state.setup is not None else ()
        raise UserError("server.too_often", seconds=sum(map(hash, missions)) % 1000)

    patch.setattr(live_table, "table_record", refuse_with_missions)


def hand_in_past(patch: Patch) -> None:
    """A past view contains all hands."""
    past = LiveTable.past

    def open_past(self: LiveTable, viewer: Viewer, turn: int) -> Json:
        hands = past(self, viewer, turn) and self.table.state.states[turn].hands
        return past(self, viewer, turn) | {"hands": hands}

    patch.setattr(LiveTable, "past", open_past)


LEAKS: dict[Leak, Hidden] = {
    hand_in_view: Hidden.DECKS,
    missions_in_list: Hidden.MISSIONS,
    draw_for_all: Hidden.DECKS,
    pick_in_event: Hidden.PICKS,
    picks_in_view: Hidden.PICKS,
    next_tile_in_view: Hidden.POUCH,
    pouch_in_event: Hidden.POUCH,
    hand_in_error: Hidden.DECKS,
    answers_in_log: Hidden.MISSIONS,
    nonce_in_log: Hidden.NONCES,
    nonce_in_event: Hidden.NONCES,
    seed_in_link: Hidden.SEED,
    seed_in_key: Hidden.SEED,
    padding: Hidden.DECKS,
    options_of_another: Hidden.DECKS,
    view_of_piles: Hidden.DECKS,
    nonce_in_view: Hidden.NONCES,
    id_from_draw: Hidden.DECKS,
    etag: Hidden.DECKS,
    tokens_in_view: Hidden.TOKENS,
    hand_in_metrics: Hidden.DECKS,
    mission_in_refusal: Hidden.MISSIONS,
    hand_in_past: Hidden.DECKS,
}
"""Each leak, and what it reveals."""
