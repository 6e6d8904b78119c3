"""Leaks, planted on purpose: each lets something hidden out, at one place of the server."""

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
from sanssouci.server.tables import listing, live_table, persistence
from sanssouci.server.tables.live_table import LiveTable
from sanssouci.server.tables.membership import CreatedTable, Membership
from sanssouci.server.tables.table_registry import CommandRequest, CommandResult, TableRegistry
from sanssouci.table import (
    Event,
    Pick,
    TableState,
    Viewer,
    chairs,
    public_events,
    table,
    views,
    write_summary,
)

from .difference import Hidden
from .house import House
from .stacked import StackedCroupier

Patch = pytest.MonkeyPatch
Json = dict[str, Any]
Leak = Callable[[Patch], None]
"""Plants itself, until the patch is taken off."""


def _beside_views(patch: Patch, more: Callable[[LiveTable], Json]) -> None:
    """Every view says something more."""
    view = LiveTable.view
    patch.setattr(
        LiveTable, "view", lambda self, viewer, public=None: view(self, viewer, public) | more(self)
    )


def _after_commands(patch: Patch, more: Callable[[Event], None]) -> None:
    """Something more is done when a command was carried out."""
    command = TableRegistry._command

    async def chatty(self: TableRegistry, *args: Any) -> CommandResult:
        done = await command(self, *args)
        more(done.event)
        return done

    patch.setattr(TableRegistry, "_command", chatty)


def _hands(table_state: TableState) -> str:
    return "" if table_state.game is None else str(table_state.game.hands)


def hand_in_view(patch: Patch) -> None:
    """A view shows what everyone holds."""
    _beside_views(patch, lambda table: {"hands": _hands(table.table.state)})


def missions_in_list(patch: Patch) -> None:
    """A list of tables says which missions were dealt, and lists are not checked."""
    patch.setattr(listing, "validator", lambda _: SimpleNamespace(validate_python=lambda row: row))
    patch.setattr(
        persistence,
        "write_summary",
        lambda table_state: (
            write_summary(table_state) | {"missions": getattr(table_state.setup, "missions", None)}
        ),
    )


def draw_for_all(patch: Patch) -> None:
    """Everyone is told which card was drawn."""
    tell = public_events.public_event

    def tell_all(before: TableState | None, event: Event, after: TableState) -> public_events.PublicEvent:
        told = tell(before, event, after)
        return replace(told, public=told.public | (told.own or {}))

    patch.setattr(table, "public_event", tell_all)


def pick_in_event(patch: Patch) -> None:
    """Everyone is told which side was picked."""
    arguments = public_events._arguments
    patch.setattr(
        public_events,
        "_arguments",
        lambda event: {"side": event.command.side} if isinstance(event.command, Pick) else arguments(event),
    )


def picks_in_view(patch: Patch) -> None:
    """The sides are shown before all have picked."""
    write_game = views._write_game

    def unsealed(table_state: TableState, viewer: Viewer, public: Json) -> Json:
        setup, game = table_state.setup, write_game(table_state, viewer, public)
        if setup is None or table_state.game is not None:
            return game
        view = replace(setup.view(None), garden_sides=setup.garden_sides, reward_sides=setup.reward_sides)
        return game | {"setup": write_setup_view(view)}

    patch.setattr(views, "_write_game", unsealed)


def next_tile_in_view(patch: Patch) -> None:
    """A view says which tile comes next; only the croupier knows."""

    def next_tile(table: LiveTable) -> Json:
        table_state = table.table.state
        return {} if table_state.game is None else {"next": table.croupier.answer("refill", table_state)}

    _beside_views(patch, next_tile)


def pouch_in_event(patch: Patch) -> None:
    """The last tile of the pouch is told with every event."""
    update = LiveTable.update

    def chatty(self: LiveTable, viewer: Viewer, after: int, public: Json | None = None) -> bytes:
        dealer = self.croupier.dealer(self.table.state.nonces)
        last = dealer.tiles(self.table.state.variant)[-1]
        return b'{"last": %d, %b' % (last, update(self, viewer, after, public)[1:])

    patch.setattr(LiveTable, "update", chatty)


def hand_in_error(patch: Patch) -> None:
    """Who tries what is not allowed is told what the others hold."""
    command = TableRegistry.command

    async def chatty(self: TableRegistry, table: LiveTable, request: CommandRequest) -> CommandResult:
        try:
            return await command(self, table, request)
        except (UserError, Refused):
            raise UserError("server.player_not_allowed", name=_hands(table.table.state)) from None

    patch.setattr(TableRegistry, "command", chatty)


def answers_in_log(patch: Patch) -> None:
    """A line of the log holds what chance has answered, under a name that is none of a secret."""
    log = structlog.get_logger("sanssouci.server")
    _after_commands(patch, lambda event: log.info("moved", what=str(sorted(event.answers.items()))))


def nonce_in_log(patch: Patch) -> None:
    """A line of the log quotes a command, and its nonce is short enough to be no token."""
    log = structlog.get_logger("sanssouci.server")
    _after_commands(patch, lambda event: log.debug("command", what=getattr(event.command, "nonce", "")[:16]))


def seed_in_link(patch: Patch) -> None:
    """The join link is made from the seed."""
    create = Membership.create

    async def careless(self: Membership, *args: Any) -> CreatedTable:
        opened = await create(self, *args)
        return replace(opened, join=Token(urlsafe_b64encode(opened.live_table.croupier._seed).decode()[:43]))

    patch.setattr(Membership, "create", careless)


def seed_in_key(patch: Patch) -> None:
    """What a computer player may draw from is the seed itself."""
    patch.setattr(StackedCroupier, "key", lambda self, purpose: self._seed)


def padding(patch: Patch) -> None:
    """A message is as much longer as the seat to move has turns to choose from."""
    update = LiveTable.update

    def padded(self: LiveTable, viewer: Viewer, after: int, public: Json | None = None) -> bytes:
        state = self.table.state.game
        return update(self, viewer, after, public) + b" " * (
            0 if state is None else len(list(state.options()))
        )

    patch.setattr(LiveTable, "update", padded)


def options_of_another(patch: Patch) -> None:
    """Everyone gets the options of the seat to move."""
    write_game = views._write_game

    def generous(table_state: TableState, viewer: Viewer, public: Json) -> Json:
        state, game = table_state.game, write_game(table_state, viewer, public)
        own = None if state is None or state.over else write_options(state.view(state.to_move).options())
        return game | {"options": own}

    patch.setattr(views, "_write_game", generous)


def view_of_piles(patch: Patch) -> None:
    """What others have not played is what they hold: also players and hints are told."""
    view = State.view
    patch.setattr(State, "view", lambda self, seat: replace(view(self, seat), unplayed=self.hands))


def nonce_in_view(patch: Patch) -> None:
    """A chair is shown with its nonce."""
    write = chairs.write_chair
    patch.setattr(views, "write_chair", lambda chair: write(chair) | {"nonce": chair.nonce})


def id_from_draw(patch: Patch) -> None:
    """An event has an id that follows from what chance has answered."""
    tell = public_events.public_event

    def marked(before: TableState | None, event: Event, after: TableState) -> public_events.PublicEvent:
        told, mark = tell(before, event, after), sha256(repr(event.answers).encode()).hexdigest()
        return replace(told, public=told.public | {"id": mark})

    patch.setattr(table, "public_event", marked)


def etag(patch: Patch) -> None:
    """A header is a hash of everything that the server knows of a table."""
    held, view = [""], LiveTable.view

    def remembered(self: LiveTable, viewer: Viewer, public: Json | None = None) -> Json:
        held[0] = sha256(repr(self.table.state.states).encode()).hexdigest()
        return view(self, viewer, public)

    def tagged(document: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        return json_response(document, status, {**(headers or {}), "etag": held[0]})

    patch.setattr(LiveTable, "view", remembered)
    patch.setattr(tables, "json_response", tagged)


def tokens_in_view(patch: Patch) -> None:
    """A view shows the hashes of all links."""
    _beside_views(
        patch,
        lambda table: {"links": sorted(row.hash for row in House.at_work.store.tokens(table.table.id))},
    )


def hand_in_metrics(patch: Patch) -> None:
    """The house counts turns by the cards that were drawn."""
    command = Metrics.command

    def counted(self: Metrics, kind: str, outcome: str) -> None:
        command(self, kind, outcome)
        for each in House.at_work.services.registry.live_tables():
            self.limited(_hands(each.table.state))

    patch.setattr(Metrics, "command", counted)


def mission_in_refusal(patch: Patch) -> None:
    """Why there is no record yet depends on who would win."""

    def unequal(table_state: TableState) -> Any:
        missions = table_state.setup.missions if table_state.setup is not None else ()
        raise UserError("server.too_often", seconds=sum(map(hash, missions)) % 1000)

    patch.setattr(live_table, "table_record", unequal)


def hand_in_past(patch: Patch) -> None:
    """Who looks back sees every hand as it was then."""
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
"""Each leak, and what it lets out."""
