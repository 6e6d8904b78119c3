"""The attendant: asks computer players, watches clocks, and puts tables away that nobody needs.

It speaks to the tables by commands as everyone does, with the house's right. What it still has to do is
in the store, so that after a restart nothing stands still.
"""

import asyncio
import contextlib

import structlog

from sanssouci.notation import write_turn
from sanssouci.rules import Refused
from sanssouci.store import Unavailable
from sanssouci.table import HOUSE, Caller, Declined, Duty, Pick, Play, Stage, TimeOut
from sanssouci.workforce import Workforce

from .hall import Hall, Order, UnknownTable
from .hosted import Hosted

SWEEP = 20.0
"""Seconds between two looks at what is due."""
IDLE = 600.0
"""Seconds after which a table that nobody needs is put away."""
_PATIENCE = 1.0
"""Seconds until a turn that could not be written is tried again."""

_log = structlog.get_logger("sanssouci.server")


class Attendant:
    """Does what the house has to do at its tables; for the tasks of one event loop."""

    def __init__(self, workforce: Workforce) -> None:
        self._workforce = workforce
        self._hall: Hall | None = None
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def hall(self) -> Hall:
        """The hall it attends to."""
        assert self._hall is not None, "it has begun"
        return self._hall

    def begin(self, hall: Hall) -> None:
        """Attend to a hall; what was due while the server was down is done first."""
        self._hall = hall
        self._sweeper = asyncio.create_task(self._sweep_for_ever())

    async def end(self) -> None:
        """Leave everything as it is; the store knows what is due."""
        tasks = [hosted.errand for hosted in self.hall.hosted() if hosted.errand is not None]
        tasks += [self._sweeper] if self._sweeper is not None else []
        for hosted in self.hall.hosted():
            _silence(hosted)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def attend(self, hosted: Hosted) -> None:
        """Look at a table that has moved on: a computer player is asked, or a clock is wound."""
        _silence(hosted)
        standing = hosted.table.standing
        if standing.duty() is not None:
            if hosted.errand is None:
                hosted.errand = asyncio.create_task(self._errand(hosted))
        elif standing.deadline is not None:
            wait = standing.deadline - self.hall.means.now()
            if wait < 2 * SWEEP:  # later ones are found by a sweep
                hosted.alarm = asyncio.get_running_loop().call_later(max(wait, 0), self._ring, hosted)

    async def sweep(self) -> None:
        """Open the tables at which something is due soon, and put away those that nobody needs."""
        now = self.hall.means.now()
        self.hall.put_away(now - IDLE)
        for table, due in await asyncio.to_thread(self.hall.store.deadlines):
            if due > now + SWEEP:
                break  # the first come first
            with contextlib.suppress(UnknownTable):
                self.attend(await self.hall.table(table))

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception:  # the next sweep finds what this one has not
                _log.exception("sweep_failed")
            await asyncio.sleep(SWEEP)

    async def _errand(self, hosted: Hosted) -> None:
        """Ask computer players as long as they are to act, and carry out what they answer."""
        try:
            while (duty := hosted.table.standing.duty()) is not None:
                await self._serve(hosted, duty)
        except Exception:
            _log.exception("errand_failed", table=hosted.table.id)
        finally:
            hosted.errand = None
        if hosted.table.standing.duty() is None:
            self.attend(hosted)

    async def _serve(self, hosted: Hosted, duty: Duty) -> None:
        seq = hosted.table.seq
        command = await self._ask(hosted, duty)
        try:
            order = Order(command, Caller(duty.chair, house=True), str(seq), seq)
            await self.hall.command(hosted, order)
        except (Declined, Refused):
            return  # the table has moved on in the meantime: look again
        except Unavailable:
            await asyncio.sleep(_PATIENCE)

    async def _ask(self, hosted: Hosted, duty: Duty) -> Pick | Play:
        standing = hosted.table.standing
        seat, key = standing.seat_of(duty.chair), self._key(hosted, duty.chair)
        if standing.stage is Stage.PICKING and standing.setup is not None:
            side = await self._workforce.side(duty.player, standing.setup.view(seat), key)
            return Pick(side.choice)
        assert standing.state is not None, "a duty is a pick or a turn"
        turn = await self._workforce.turn(duty.player, standing.state.view(seat), key)
        return Play(write_turn(turn.choice))

    def _key(self, hosted: Hosted, chair: int) -> bytes:
        """What a player may draw from: it follows from the seed, but the seed does not follow from it."""
        return hosted.croupier.key(f"player {chair} {len(hosted.table.standing.turns)}")

    def _ring(self, hosted: Hosted) -> None:
        hosted.alarm = None
        if hosted.errand is None:
            hosted.errand = asyncio.create_task(self._time_out(hosted))

    async def _time_out(self, hosted: Hosted) -> None:
        """The clock has run out: stand-ins play for all who are awaited."""
        try:
            for chair in hosted.table.standing.waiting():
                with contextlib.suppress(Declined, Unavailable):
                    seq = hosted.table.seq
                    await self.hall.command(hosted, Order(TimeOut(chair), HOUSE, str(seq), seq))
        finally:
            hosted.errand = None
        self.attend(hosted)


def _silence(hosted: Hosted) -> None:
    if hosted.alarm is not None:
        hosted.alarm.cancel()
        hosted.alarm = None
