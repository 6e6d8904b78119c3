"""Before the game: people sit down and rise, chairs are given away, and when all are ready it starts."""

import re
from dataclasses import replace
from itertools import count

from sanssouci.locale import UserError

from .chairs import Chair, Colour, Sitter, kept_chair, new_chair
from .chance import Source
from .colours import all_dressed, dressed
from .commands import Appoint, Create, Ready, Rise, Sit, Unready
from .daily import daily_commitment
from .declined import Declined, No
from .origin import Origin, kept_origin
from .picking import start
from .request import Request
from .standing import Stage, Standing
from .terms import kept_terms

_NONCE = re.compile("([0-9a-f]{2}){8,32}")
"""64 to 256 bits, in hex."""


def create(table: str, request: Request[Create], source: Source) -> Standing:
    """A new table; where only computers play, or a record is played on, the game starts at once."""
    command = request.command
    terms = kept_terms(command.terms)
    chairs = all_dressed(map(kept_chair, command.chairs))
    if len(chairs) != terms.variant.seats:
        raise Declined(No.NO_SUCH_CHAIR, seats=terms.variant.seats)
    if (command.origin is None) == (command.commitment is None):
        raise UserError("table.bad_origin")
    if terms.daily is not None and command.commitment != daily_commitment(terms.daily):
        raise UserError("table.not_from_seed")
    standing = Standing(table, terms, command.commitment, chairs, request.at)
    if command.origin is not None:
        return _gone_on_from(kept_origin(command.origin), standing)
    return _start_if_ready(standing, request.at, source)


def _gone_on_from(origin: Origin, standing: Standing) -> Standing:
    """A table at which turns of a record count as played: chairs are seats, and one person plays at most.

    Whoever brings a record may know all that is face down in it, so nobody else can be asked to play against.
    """
    terms, variant = standing.terms, replace(standing.variant, deck=origin.variant.deck)
    people = sum(chair.is_person for chair in standing.chairs)
    taken = all(chair.sitter is not Sitter.OPEN for chair in standing.chairs)
    if variant != origin.variant or terms.first != 0 or people > 1 or not taken:
        raise UserError("table.bad_origin")
    return replace(
        standing,
        terms=replace(terms, variant=variant),
        chairs=tuple(replace(chair, nonce="") if chair.is_person else chair for chair in standing.chairs),
        order=tuple(range(variant.seats)),
        states=origin.states(),
        turns=origin.turns(),
        origin=origin,
    )


def sit(standing: Standing, request: Request[Sit], source: Source) -> Standing:
    """Someone takes an open chair. Who was ready stays so: ready for whoever comes."""
    standing.require(Stage.LOBBY)
    command = request.command
    if standing.chair(command.chair).sitter is not Sitter.OPEN:
        raise Declined(No.CHAIR_TAKEN)
    person = new_chair(Sitter.PERSON, _told_apart(command.name, standing.chairs))
    chairs = standing.with_chair(command.chair, person).chairs
    if command.colour is None:
        return replace(standing, chairs=all_dressed(chairs))
    return replace(standing, chairs=dressed(chairs, command.chair, Colour(command.colour)))


def _told_apart(name: str, chairs: tuple[Chair, ...]) -> str:
    """A name that nobody else at the table has: whoever comes later is numbered."""
    taken = {chair.name for chair in chairs}
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def rise(standing: Standing, request: Request[Rise], source: Source) -> Standing:
    """Someone leaves. The chair is open, so nothing can start; who was ready stays so."""
    standing.require(Stage.LOBBY)
    return standing.with_chair(request.chair, Chair())


def appoint(standing: Standing, request: Request[Appoint], source: Source) -> Standing:
    """The owner gives a chair to a computer player, or opens it. Who was ready was so for another table."""
    standing.require(Stage.LOBBY)
    command = request.command
    if standing.terms.daily is not None:
        raise Declined(No.NOT_ALLOWED)  # everyone has the same opponent
    before = standing.chair(command.chair)
    sitter = Sitter.OPEN if command.player is None else Sitter.COMPUTER
    chair = new_chair(sitter, command.name, command.player or "", before.colour)
    after = standing.with_chair(command.chair, chair)
    after = replace(after, chairs=all_dressed(after.chairs))
    return _start_if_ready(_unready_all(after), request.at, source)


def ready(standing: Standing, request: Request[Ready], source: Source) -> Standing:
    """Someone is ready and adds a nonce; the last one starts the game."""
    standing.require(Stage.LOBBY)
    if not _NONCE.fullmatch(request.command.nonce):
        raise Declined(No.BAD_NONCE)
    chair = standing.chairs[request.chair]
    if chair.is_ready:
        raise Declined(No.READY_ALREADY)
    after = standing.with_chair(request.chair, replace(chair, nonce=request.command.nonce))
    return _start_if_ready(after, request.at, source)


def unready(standing: Standing, request: Request[Unready], source: Source) -> Standing:
    """Someone is not ready after all."""
    standing.require(Stage.LOBBY)
    chair = standing.chairs[request.chair]
    if not chair.is_ready:
        raise Declined(No.NOT_READY)
    return standing.with_chair(request.chair, replace(chair, nonce=None))


def _unready_all(standing: Standing) -> Standing:
    return replace(standing, chairs=tuple(replace(chair, nonce=None) for chair in standing.chairs))


def _start_if_ready(standing: Standing, at: float, source: Source) -> Standing:
    whole = all(chair.is_ready for chair in standing.chairs)
    return start(standing, at, source) if whole else standing
