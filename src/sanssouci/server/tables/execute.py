"""A command that somebody gives, by socket or by HTTP: what it names is checked, then it is carried out."""

from collections.abc import Callable
from dataclasses import replace

from sanssouci.locale import UserError
from sanssouci.players import character, check_player, display_name
from sanssouci.rules import Refused
from sanssouci.store import Unavailable
from sanssouci.table import AssignChair, Caller, Command, Rematch, RequestRematch, authorise

from ..limits.rate_limits import Limit
from ..services import Services
from ..wire.requests import CommandBody, SocketCommand
from .display_names import clean_name
from .live_table import LiveTable
from .table_registry import CommandRequest, CommandResult


def rate_limit_of(message: SocketCommand | CommandBody) -> Limit:
    """As what a command counts: a rematch sets up a table."""
    return Limit.CREATE if message.command.type == Rematch.type else Limit.COMMAND


async def execute_command(
    services: Services,
    live_table: LiveTable,
    message: SocketCommand | CommandBody,
    caller: Caller,
    permitted: Callable[[], bool],
    acknowledge: Callable[[CommandResult], None] = lambda done: None,
) -> CommandResult:
    """Carry a command out, or ``Declined``, ``Refused``, ``Unavailable``.

    ``permitted`` is asked when it is its turn: whether the caller has not lost the right meanwhile.
    """
    kind = message.command.type
    try:
        # The server chooses the rematch's table later.
        command = Rematch("") if isinstance(message.command, RequestRematch) else message.command
        # Whoever may not give it is told so before anything about it is looked at.
        authorise(live_table.table.state, command, caller)
        order = CommandRequest(
            _checked(services, command),
            caller,
            message.command_id,
            message.expected_seq,
            permitted,
            acknowledge,
        )
        done = await _carried_out(services, live_table, order)
    except (UserError, Refused):
        services.metrics.command(kind, "refused")
        raise
    services.metrics.command(kind, "repeated" if done.repeated else "done")
    return done


async def _carried_out(services: Services, live_table: LiveTable, order: CommandRequest) -> CommandResult:
    if isinstance(order.command, Rematch):
        return await services.membership.rematch(live_table, order)
    return await services.membership.command(live_table, order)


def _checked(services: Services, command: Command) -> Command:
    if not isinstance(command, AssignChair) or command.player is None:
        return command
    return replace(command, name=computer_name(services, command.player, command.name))


def computer_name(services: Services, player: str, name: str, language: str = "en") -> str:
    """The name of a computer player at a table, or ``UserError`` if the host does not allow that player."""
    if player not in services.settings.players:
        raise UserError("server.player_not_allowed", name=player)
    check_player(player)
    if services.worker_pool.statistics.waiting >= services.settings.worker_queue:
        raise Unavailable("server.players_busy")
    return clean_name(name or character(player, language) or display_name(player, language) or player)
