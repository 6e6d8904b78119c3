"""The public course of two games: everyone gets ready, picks and plays the same, and sends probes."""

from dataclasses import replace
from functools import partial
from unittest.mock import patch

from sanssouci.notation import write_turn
from sanssouci.players import RandomPlayer
from sanssouci.rules import State, Turn
from sanssouci.table import Croupier, Stage
from sanssouci.workers.job import SideJob

from ...harness.logs import CapturedLog
from ..seeded_random import SeededRandom
from .difference import Hidden
from .paired_games import PairedGames
from .paired_server import PairedServer
from .plan import LINK, NOBODY, STRANGER, WATCHER, draw_plan
from .probes import open_socket, probe, send_command
from .stacked import SAME_COMMITMENT, StackedCroupier
from .viewers import Viewer

PROBES = 2
"""Probes between two steps of a game."""
_STEPS_AFTER_END = 3
"""Steps after the end, if the difference is never revealed."""


class Course:
    """A game from the first guest until the difference may be revealed."""

    def __init__(
        self, servers: tuple[PairedServer, PairedServer], log: CapturedLog, rng: SeededRandom
    ) -> None:
        self.plan = draw_plan(rng)
        self.games = PairedGames(servers, log, rng, self.plan.difference)
        self.rng = rng
        self._steps_after_end = 0

    async def run(self) -> PairedGames:
        """Play the game. Raises ``Leak`` if a viewer can see a difference. All nonces have one commitment."""
        with patch("sanssouci.table.lobby.nonce_commitment", lambda *committed: SAME_COMMITMENT):
            return await self._run()

    async def _run(self) -> PairedGames:
        self._stack()
        await self._create_guests()
        await self._set_up()
        while not self._done():
            for _ in range(PROBES):
                await probe(self.games, self.rng.choice(self.games.viewers))
            if not self._done():  # a probe may have advanced the game
                await self._advance()
        await self.games.leave()
        return self.games

    def _stack(self) -> None:
        """Prepare the deal of each server."""
        difference = self.plan.difference
        for server, piles, seed in zip(
            self.games.servers, ({}, difference.piles), (bytes(32), bytes(range(32))), strict=True
        ):
            server.secrets.fixed_seed = seed if Hidden.SEED in difference.hidden else bytes(32)
            stacked = partial(StackedCroupier, deal=self.plan.deal, piles=piles)
            server.deal = Croupier if difference.is_never_revealed else stacked

    async def _create_guests(self) -> None:
        self.games.viewers = self.plan.viewers()
        for viewer in self.games.viewers:
            viewer.cookie = self.rng.chance(50)
            if viewer.guest:
                name = {"name": viewer.name, "cookie": viewer.cookie}
                await self.games.request(viewer, "POST", "/api/guests", name)
                for server, side in zip(self.games.servers, viewer.sides, strict=True):
                    side.token = server.secrets.tokens[-1]

    async def _set_up(self) -> None:
        """Create a table and seat everyone."""
        games, (owner, *others) = self.games, self.games.viewers
        message = self.plan.message(self.rng.choice(("greedy", "random")))
        answers = await games.request(owner, "POST", "/api/tables", message)
        games.table = str(answers[0]["table"])
        await games.request(owner, "GET", f"/api/tables/{games.table}")
        for viewer in others:
            kind = "watch" if viewer.name in (WATCHER, LINK) else "join"
            for side, answer in zip(viewer.sides, answers, strict=True):
                side.key = "" if viewer.name in (STRANGER, NOBODY) else answer[kind]
            if viewer.chair is not None:
                await games.request(
                    viewer, "POST", f"/api/tables/{games.table}/seats", {"chair": viewer.chair}
                )
        for viewer in self.rng.sample(games.viewers, 1, len(games.viewers)):
            await open_socket(games, viewer)

    def _done(self) -> bool:
        games, difference = self.games, self.plan.difference
        table_state = games.state
        if difference.is_never_revealed:
            return self._steps_after_end >= _STEPS_AFTER_END
        if Hidden.PICKS in difference.hidden and games.phase() is difference.phase:
            return len(table_state.waiting) <= 1
        played = table_state.game is not None and table_state.game.turn >= difference.turns
        return played or table_state.stage is Stage.OVER

    async def _advance(self) -> None:
        """Take one step of the game, or something in between."""
        games, stage = self.games, self.games.state.stage
        games.wait(0.5 if games.state.shuffling else self.rng.choice((0.5, 7.25, 130.0)))
        if stage is Stage.OVER:
            self._steps_after_end += 1
        elif self.rng.chance(8):
            await self._interlude()
        elif self.plan.difference.is_never_revealed and self._is_long_enough():
            await self._end_game()
        elif games.state.paused:
            await self._return()
        elif games.servers[0].pool.thinking is not None and not (self._people() and self.rng.chance(30)):
            await self._finish()
        elif stage is Stage.LOBBY:
            await self._ready()
        elif stage is Stage.PICKING:
            await self._pick()
        else:
            await self._play()

    def _people(self) -> list[int]:
        """The awaited chairs of people."""
        return sorted(self.games.state.deciding & set(self.games.state.waiting))

    def _is_long_enough(self) -> bool:
        state = self.games.state.game
        return state is not None and state.turn >= self.plan.difference.turns % 6

    async def _interlude(self) -> None:
        """Open a socket, or disconnect everyone and evict the table."""
        if self.rng.chance(60):
            await open_socket(self.games, self.rng.choice(self.games.viewers))
        else:
            for viewer in self.games.viewers:
                await self.games.disconnect(viewer)
            await self.games.evict()

    async def _end_game(self) -> None:
        """Concede or abandon the game."""
        people = [viewer for viewer in self.games.viewers if viewer.chair is not None]
        command = self.rng.choice(("concede", "abandon")) if people else "abandon"
        for viewer in people or self.games.viewers[:1]:
            await send_command(self.games, viewer, {"type": command})

    async def _return(self) -> None:
        """End the absence of one person, as all are away."""
        away = [at for at, chair in enumerate(self.games.state.chairs) if chair.away]
        await send_command(self.games, self._sitter(self.rng.choice(away)), {"type": "return"})

    async def _ready(self) -> None:
        """Somebody commits to a nonce; once all have, somebody reveals it."""
        viewer = self._sitter(self.rng.choice(self._people()))
        if not self.games.state.shuffling:
            await send_command(self.games, viewer, {"type": "ready", "commitment": SAME_COMMITMENT})
            return
        one = "ab" * (16 + self.rng.below(17))
        differ = Hidden.NONCES in self.plan.difference.hidden and viewer.knows
        other = "cd" * (len(one) // 2) if differ else one
        await send_command(
            self.games, viewer, {"type": "reveal", "nonce": one}, {"type": "reveal", "nonce": other}
        )

    async def _pick(self) -> None:
        chair = self.rng.choice(self._people())
        one, other = self._sides(chair)
        await send_command(
            self.games, self._sitter(chair), {"type": "pick", "side": one}, {"type": "pick", "side": other}
        )

    async def _play(self) -> None:
        turn = write_turn(self._turn())
        await send_command(self.games, self._sitter(self._people()[0]), {"type": "play", "turn": turn})

    async def _finish(self) -> None:
        """Finish the job of the computer player."""
        job = self.games.servers[0].pool.thinking
        if isinstance(job, SideJob):
            assert job._view.seat is not None, "spectators have no jobs"
            one, other = self._sides(self.games.state.order[job._view.seat])
            await self.games.finish(({"side": one}, {"side": other}))
        else:
            turn = {"turn": write_turn(self._turn())}
            await self.games.finish((turn, turn))

    def _sides(self, chair: int) -> tuple[int, int]:
        """The sides that a chair picks at each server."""
        seat, phase, side = self.games.seat(chair), self.games.phase(), self.rng.below(2)
        assert seat is not None and phase is not None, "sides are being picked"
        return side, 1 - side if self.plan.difference.picks_differ(phase, seat) else side

    def _turn(self) -> Turn:
        """A turn that is legal at both servers."""
        one, other = (state.view(state.to_move) for state in self._states())
        return RandomPlayer(self.rng.stream).decide(replace(one, hand=one.hand & other.hand))

    def _states(self) -> list[State]:
        assert self.games.states is not None, "there is a table"
        return [table_state.game for table_state in self.games.states if table_state.game is not None]

    def _sitter(self, chair: int) -> Viewer:
        return next(viewer for viewer in self.games.viewers if viewer.chair == chair)
