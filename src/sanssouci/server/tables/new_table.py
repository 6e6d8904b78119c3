"""Validates a request for a new table and turns it into settings and chairs."""

import json
from collections import Counter
from itertools import count

from sanssouci.editions import SHIPPED, BoardSet, parse_boards, shipped_boards
from sanssouci.locale import UserError, translate
from sanssouci.notation import parse_record
from sanssouci.table import (
    STAND_IN,
    Chair,
    Colour,
    Origin,
    Sitter,
    TableSettings,
    TimeControl,
    TimeControlKind,
    Visibility,
    make_origin,
    make_settings,
    new_chair,
)

from ..services import Services
from ..wire.requests import ChairBody, TableBody
from .display_names import clean_name
from .execute import computer_name

_ORDINALS = ("", " II", " III", " IV")


def read_origin(message: TableBody) -> Origin | None:
    """The record and turn to continue from, or ``UserError``."""
    if message.origin is None:
        return None
    record = parse_record(json.dumps(message.origin.record).encode("utf-8"))
    origin = make_origin(record, message.origin.turn)
    people = sum(chair.sitter == Sitter.PERSON.value for chair in message.chairs)
    taken = all(chair.sitter != Sitter.OPEN.value for chair in message.chairs)
    if len(message.chairs) != origin.variant.seats or people > 1 or not taken:
        raise UserError("terms.origin_chairs", seats=origin.variant.seats)
    return origin


def read_table_settings(
    services: Services, message: TableBody, origin: Origin | None = None
) -> TableSettings:
    """The requested settings; ``UserError`` or ``Refused``. A record to continue from fixes most."""
    game = None if origin is None else origin.variant
    return make_settings(
        len(message.chairs),
        message.edition if game is None else game.edition,
        list(message.expansions if game is None else game.expansions),
        _boards(message) if game is None else None,
        time_control=TimeControl(TimeControlKind(message.clock.pace), message.clock.amount),
        hints=message.hints,
        visibility=Visibility(message.visibility),
        first=message.first if game is None else 0,
        stand_in=stand_in(services.settings.players),
    )


def read_chairs(services: Services, message: TableBody, guest: str, language: str) -> tuple[Chair, ...]:
    """The initial chairs. The first person without a name gets the guest's, unless another chair has it.

    A second computer player of the same name becomes "Name II", and so on.
    """
    people = [chair for chair in message.chairs if chair.sitter == Sitter.PERSON.value]
    typed = [clean_name(chair.name) for chair in people if chair.name.strip()]
    own_name = [] if guest in typed else [guest]
    numbers, computers = count(1), Counter[str]()

    def person(name: str) -> str:
        default = translate("seat.person", language, number=next(numbers))
        if name.strip():
            return clean_name(name)
        return own_name.pop() if own_name else default

    def computer(player: str, given: str) -> str:
        name = computer_name(services, player, given, language)
        if given.strip():
            return name
        computers[name] += 1
        return f"{name}{_ORDINALS[computers[name] - 1]}"

    def new(chair: ChairBody) -> Chair:
        sitter, colour = Sitter(chair.sitter), None if chair.colour is None else Colour(chair.colour)
        if sitter is Sitter.PERSON:
            return new_chair(sitter, person(chair.name), colour=colour)
        if sitter is Sitter.OPEN:
            return new_chair(sitter)
        if chair.player is None:
            raise UserError("server.no_player")
        return new_chair(sitter, computer(chair.player, chair.name), chair.player, colour)

    return tuple(map(new, message.chairs))


def stand_in(allowed: tuple[str, ...]) -> str:
    """The player that replaces people who are away: the default one, if the host allows it."""
    return STAND_IN if STAND_IN in allowed else allowed[0]


def _boards(message: TableBody) -> BoardSet | None:
    if message.boards_file is not None:
        if message.boards is not None:
            raise UserError("terms.two_boards")
        return parse_boards(message.boards_file.encode("utf-8"))
    if message.boards is None:
        return None
    if message.boards not in SHIPPED:
        raise UserError("boards.missing", known=", ".join(SHIPPED))
    return shipped_boards(message.boards)
