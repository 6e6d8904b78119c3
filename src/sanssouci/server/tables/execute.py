"""Executes a client's command, received by socket or HTTP: authorisation, checks, then the registry."""

from collections.abc import Callable
from dataclasses import replace

from sanssouci.locale import UserError
from sanssouci.players import character, check_player, display_name
from sanssouci.rules import Refused
from sanssouci.store import Unavailable
from sanssouci.table import AssignChair, Caller, LeaveChair, Rematch, RequestRematch, authorise

from ..limits.rate_limits import Limit
from ..services import Services
from ..wire.requests import CommandBody, SocketCommand
from .display_names import clean_name
from .live_table import LiveTable
from .table_registry import CommandRequest, CommandResult


def rate_limit_of(message: SocketCommand | CommandBody) -> Limit:
    """The rate limit that applies to a command: a rematch counts as creating a table."""
    return Limit.CREATE if message.command.type == Rematch.type else Limit.COMMAND


async def execute_command(
    services: Services,
    live_table: LiveTable,
    message: SocketCommand | CommandBody,
    caller: Caller,
    permitted: Callable[[], bool],
    acknowledge: Callable[[CommandResult], None] = lambda done: None,
) -> CommandResult:
    """Execute a command, or raise ``CommandRejected``, ``Refused`` or ``Unavailable``.

    ``permitted`` is called under the table's lock, because the caller may lose the right while waiting for
    it.
    """
    kind = message.command.type
    try:
        # The server chooses the rematch's table later.
        command = Rematch("") if isinstance(message.command, RequestRematch) else message.command
        # Permission first: an unauthorised caller learns nothing about the command's contents.
        authorise(live_table.table.state, command, caller)
        if isinstance(command, AssignChair) and command.player is not None:
            command = replace(command, name=computer_name(services, command.player, command.name))
        request = CommandRequest(
            command, caller, message.command_id, message.expected_seq, permitted, acknowledge
        )
        match command:
            case Rematch():
                done = await services.membership.rematch(live_table, request)
            case AssignChair() | LeaveChair():
                done = await services.membership.vacate(live_table, request)
            case _:
                done = await services.registry.command(live_table, request)
    except (UserError, Refused):
        services.metrics.command(kind, "refused")
        raise
    services.metrics.command(kind, "repeated" if done.repeated else "done")
    return done


def computer_name(services: Services, player: str, name: str, language: str = "en") -> str:
    """The name of a computer player at a table; ``UserError`` if the host does not allow that player."""
    if player not in services.settings.players:
        raise UserError("server.player_not_allowed", name=player)
    check_player(player)
    if services.worker_pool.statistics.waiting >= services.settings.worker_queue:
        raise Unavailable("server.players_busy")
    return clean_name(name or character(player, language) or display_name(player, language) or player)
