"""Executes a client's command, received by socket or HTTP: authorisation, checks, then the registry."""

from collections.abc import Callable
from dataclasses import replace

from sanssouci.locale import UserError
from sanssouci.players import character, check_player, display_name
from sanssouci.rules import Refused
from sanssouci.store import Unavailable
from sanssouci.table import AssignChair, Caller, LeaveChair, Rematch, RequestRematch, authorise

from ..services import Services
from ..wire.requests import CommandBody, SocketCommand
from .display_names import clean_name
from .live_table import LiveTable
from .table_registry import CommandRequest, CommandResult

_CHECKED_EARLY = (AssignChair, LeaveChair, Rematch)
"""Their arguments, the quotas or the store are looked at before the table decides. A caller without the right
is rejected before that, and so learns nothing. ``Table.decide`` authorises every command under the lock."""


def is_rematch(message: SocketCommand | CommandBody) -> bool:
    """Whether a command creates a table, which has a rate limit of its own."""
    return isinstance(message.command, RequestRematch)


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
        if isinstance(command, _CHECKED_EARLY):
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
