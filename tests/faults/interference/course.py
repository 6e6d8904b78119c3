"""The public course of two games: all get ready, pick and play the same, and look about meanwhile."""

from dataclasses import replace
from functools import partial

from sanssouci.notation import write_turn
from sanssouci.players import RandomPlayer
from sanssouci.rules import State, Turn
from sanssouci.table import Croupier, Stage
from sanssouci.workers.job import SideJob

from ..lot import Lot
from .cast import Viewer
from .difference import Hidden
from .house import House
from .lines import Log
from .plan import LINK, NOBODY, STRANGER, WATCHER, draw_plan
from .probes import dial, give, probe
from .stacked import StackedCroupier
from .twins import Twins

PROBES = 2
"""So many questions between two steps of a game."""
_AFTERWARDS = 3
"""Steps after the end, where a difference lasts so long."""


class Course:
    """From the first guest to the moment at which the difference comes to light."""

    def __init__(self, houses: tuple[House, House], log: Log, lot: Lot) -> None:
        self.plan = draw_plan(lot)
        self.twins = Twins(houses, log, lot, self.plan.difference)
        self.lot = lot
        self._afterwards = 0

    async def run(self) -> Twins:
        """Play; ``Leak`` if anyone sees a difference."""
        self._stack()
        await self._arrive()
        await self._set_up()
        while not self._done():
            for _ in range(PROBES):
                await probe(self.twins, self.lot.one(self.twins.viewers))
            if not self._done():  # a question may have led on
                await self._go_on()
        await self.twins.leave()
        return self.twins

    def _stack(self) -> None:
        """What each house deals."""
        difference = self.plan.difference
        for house, piles, seed in zip(
            self.twins.houses, ({}, difference.piles), (bytes(32), bytes(range(32))), strict=True
        ):
            house.drawn.seed = seed if Hidden.SEED in difference.hidden else bytes(32)
            stacked = partial(StackedCroupier, deal=self.plan.deal, piles=piles)
            house.drawn.deal = Croupier if difference.lasts else stacked

    async def _arrive(self) -> None:
        """Guests choose their names."""
        self.twins.viewers = self.plan.viewers()
        for viewer in self.twins.viewers:
            viewer.cookie = self.lot.often(50)
            if viewer.guest:
                name = {"name": viewer.name, "cookie": viewer.cookie}
                await self.twins.ask(viewer, "POST", "/api/guests", name)
                for house, side in zip(self.twins.houses, viewer.sides, strict=True):
                    side.token = house.drawn.last

    async def _set_up(self) -> None:
        """A table, at which everyone takes a place."""
        twins, (owner, *others) = self.twins, self.twins.viewers
        message = self.plan.message(self.lot.one(("greedy", "random")))
        said = await twins.ask(owner, "POST", "/api/tables", message)
        twins.table = str(said[0]["table"])
        await twins.ask(owner, "GET", f"/api/tables/{twins.table}")
        for viewer in others:
            kind = "watch" if viewer.name in (WATCHER, LINK) else "join"
            for side, answer in zip(viewer.sides, said, strict=True):
                side.key = "" if viewer.name in (STRANGER, NOBODY) else answer[kind]
            if viewer.chair is not None:
                await twins.ask(viewer, "POST", f"/api/tables/{twins.table}/seats", {"chair": viewer.chair})
        for viewer in self.lot.some(twins.viewers, 1, len(twins.viewers)):
            await dial(twins, viewer)

    def _done(self) -> bool:
        twins, difference = self.twins, self.plan.difference
        table_state = twins.state
        if difference.lasts:
            return self._afterwards >= _AFTERWARDS
        if Hidden.PICKS in difference.hidden and twins.phase() is difference.phase:
            return len(table_state.waiting()) <= 1
        played = table_state.game is not None and table_state.game.turn >= difference.turns
        return played or table_state.stage is Stage.OVER

    async def _go_on(self) -> None:
        """One step of the game, or something between."""
        twins, stage = self.twins, self.twins.state.stage
        twins.wait(self.lot.one((0.5, 7.25, 130.0)))
        if stage is Stage.OVER:
            self._afterwards += 1
        elif self.lot.often(8):
            await self._interlude()
        elif self.plan.difference.lasts and self._is_long_enough():
            await self._give_up()
        elif twins.state.paused:
            await self._come_back()
        elif twins.houses[0].worker_pool.thinking is not None and not (self._people() and self.lot.often(30)):
            await self._finish()
        elif stage is Stage.LOBBY:
            await self._ready()
        elif stage is Stage.PICKING:
            await self._pick()
        else:
            await self._play()

    def _people(self) -> list[int]:
        """The chairs of people who are awaited."""
        return sorted(self.twins.state.deciding & set(self.twins.state.waiting()))

    def _is_long_enough(self) -> bool:
        state = self.twins.state.game
        return state is not None and state.turn >= self.plan.difference.turns % 6

    async def _interlude(self) -> None:
        """Somebody looks in, or all leave and the table is put away."""
        if self.lot.often(60):
            await dial(self.twins, self.lot.one(self.twins.viewers))
        else:
            for viewer in self.twins.viewers:
                await self.twins.hang_up(viewer)
            await self.twins.evict()

    async def _give_up(self) -> None:
        """The people end the game, or its owner where there are none."""
        people = [viewer for viewer in self.twins.viewers if viewer.chair is not None]
        way = self.lot.one(("concede", "abandon")) if people else "abandon"
        for viewer in people or self.twins.viewers[:1]:
            await give(self.twins, viewer, {"type": way})

    async def _come_back(self) -> None:
        """All people are away, and nobody plays until one is back."""
        away = [at for at, chair in enumerate(self.twins.state.chairs) if chair.away]
        await give(self.twins, self._sitter(self.lot.one(away)), {"type": "return"})

    async def _ready(self) -> None:
        viewer = self._sitter(self.lot.one(self._people()))
        one = "ab" * (8 + self.lot.below(20))
        differ = Hidden.NONCES in self.plan.difference.hidden and viewer.knows
        other = "cd" * (len(one) // 2) if differ else one
        await give(self.twins, viewer, {"type": "ready", "nonce": one}, {"type": "ready", "nonce": other})

    async def _pick(self) -> None:
        chair = self.lot.one(self._people())
        one, other = self._sides(chair)
        await give(
            self.twins, self._sitter(chair), {"type": "pick", "side": one}, {"type": "pick", "side": other}
        )

    async def _play(self) -> None:
        turn = write_turn(self._turn())
        await give(self.twins, self._sitter(self._people()[0]), {"type": "play", "turn": turn})

    async def _finish(self) -> None:
        """The computer player that thinks comes to an end."""
        job = self.twins.houses[0].worker_pool.thinking
        if isinstance(job, SideJob):
            assert job._view.seat is not None, "spectators are not asked"
            one, other = self._sides(self.twins.state.order[job._view.seat])
            await self.twins.finish(({"side": one}, {"side": other}))
        else:
            turn = {"turn": write_turn(self._turn())}
            await self.twins.finish((turn, turn))

    def _sides(self, chair: int) -> tuple[int, int]:
        """What a chair picks in each house."""
        seat, phase, side = self.twins.seat(chair), self.twins.phase(), self.lot.below(2)
        assert seat is not None and phase is not None, "sides are being picked"
        return side, 1 - side if self.plan.difference.picks_differ(phase, seat) else side

    def _turn(self) -> Turn:
        """A turn that can be played in both houses."""
        one, other = (state.view(state.to_move) for state in self._states())
        return RandomPlayer(self.lot.stream).decide(replace(one, hand=one.hand & other.hand))

    def _states(self) -> list[State]:
        assert self.twins.standings is not None, "there is a table"
        return [table_state.game for table_state in self.twins.standings if table_state.game is not None]

    def _sitter(self, chair: int) -> Viewer:
        return next(viewer for viewer in self.twins.viewers if viewer.chair == chair)
