"""What somebody asks a new table to be: terms and chairs, each checked before anything is written."""

from sanssouci.editions import SHIPPED, BoardSet, parse_boards, shipped_boards
from sanssouci.locale import Complaint, say
from sanssouci.table import STAND_IN, Chair, Clock, Pace, Sitter, Terms, Visibility, make_terms, new_chair

from .messages import NewChair, NewTable
from .names import clean_name
from .orders import computer_name
from .services import Services


def read_terms(services: Services, message: NewTable) -> Terms:
    """The terms that a message asks for, or ``Complaint``, or ``Refused``."""
    return make_terms(
        len(message.chairs),
        message.edition,
        list(message.expansions),
        _boards(message),
        clock=Clock(Pace(message.clock.pace), message.clock.amount),
        hints=message.hints,
        visibility=Visibility(message.visibility),
        first=message.first,
        stand_in=stand_in(services.settings.players),
    )


def read_chairs(services: Services, message: NewTable, guest: str, language: str) -> tuple[Chair, ...]:
    """Who sits where at first; the first person without a name is the guest, unless another is named so."""
    people = [chair for chair in message.chairs if chair.sitter == Sitter.PERSON.value]
    typed = [clean_name(chair.name) for chair in people if chair.name.strip()]
    names = _Names(None if guest in typed else guest, language)
    return tuple(_chair(services, chair, names, language) for chair in message.chairs)


def stand_in(allowed: tuple[str, ...]) -> str:
    """Who plays for people who are away: the usual one, if the host allows it."""
    return STAND_IN if STAND_IN in allowed else allowed[0]


class _Names:
    """Names for people who were given none."""

    def __init__(self, guest: str | None, language: str) -> None:
        self._guest = guest
        self._language = language
        self._people = 0

    def person(self, name: str) -> str:
        self._people += 1
        if name.strip():
            return clean_name(name)
        name, self._guest = self._guest or say("seat.person", self._language, number=self._people), None
        return name


def _chair(services: Services, chair: NewChair, names: _Names, language: str) -> Chair:
    sitter = Sitter(chair.sitter)
    if sitter is Sitter.PERSON:
        return new_chair(sitter, names.person(chair.name))
    if sitter is Sitter.OPEN:
        return new_chair(sitter)
    if chair.player is None:
        raise Complaint("server.no_player")
    return new_chair(sitter, computer_name(services, chair.player, chair.name, language), chair.player)


def _boards(message: NewTable) -> BoardSet | None:
    if message.boards_file is not None:
        if message.boards is not None:
            raise Complaint("terms.two_boards")
        return parse_boards(message.boards_file.encode("utf-8"))
    if message.boards is None:
        return None
    if message.boards not in SHIPPED:
        raise Complaint("boards.missing", known=", ".join(SHIPPED))
    return shipped_boards(message.boards)
