"""The game for OpenSpiel: ``pyspiel.load_game("python_sanssouci")`` once this module is imported.

All chance is explicit: each draw is a chance node with its probabilities (see ``chance_game``).
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sanssouci.kernel import decode
from sanssouci.notation import LETTERS, write_card, write_turn
from sanssouci.rules import ROUNDS

from .chance_game import (
    CARD,
    CHANCE,
    HIDDEN,
    MISSION,
    MOST_OUTCOMES,
    SHARED,
    TERMINAL,
    TILE,
    TURN,
    ChanceGame,
    Event,
    setup_draws,
)
from .drawing import action_name, draw
from .extras import needs_extra
from .game import Settings
from .spec import ACTIONS, fields, observation_size, stage_of
from .stages import actions_of

with needs_extra():
    import pyspiel

DEFAULTS: dict[str, Any] = {
    "seats": 2,
    "edition": "ravensburger",
    "expansions": "",
    "boards": "",
    "reward": "win",
}
_MOST_POINTS = 255.0
_TURN_SIZE = ACTIONS + 9 + 20
"""One turn in the information state tensor: its stage actions, the refill, and the own card drawn."""


def _game_type(reward: str) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name="python_sanssouci",
        long_name="Sanssouci",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if reward == "win" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class SanssouciGame(pyspiel.Game):
    """Parameters: seats, edition, expansions (separated by ``+``), boards, reward."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = DEFAULTS | dict(params or {})
        # OpenSpiel separates parameters by commas, so expansions are joined by a plus sign.
        self.settings = Settings.of(
            int(given["seats"]),
            given["edition"],
            given["expansions"].replace("+", ","),
            given["boards"],
            reward=given["reward"],
        )
        variant, reward = self.settings.variant, self.settings.reward
        lowest = {"win": -1.0 / (variant.seats - 1), "score": 0.0, "margin": -_MOST_POINTS}[reward]
        super().__init__(
            _game_type(reward),
            pyspiel.GameInfo(
                num_distinct_actions=ACTIONS,
                max_chance_outcomes=MOST_OUTCOMES,
                num_players=variant.seats,
                min_utility=lowest,
                max_utility=1.0 if reward == "win" else _MOST_POINTS,
                utility_sum=0.0 if reward == "win" else None,
                max_game_length=variant.turns * (5 if variant.wild_boar else 4),
            ),
            given,
        )

    def new_initial_state(self) -> "SanssouciState":
        """A state before anything is dealt."""
        return SanssouciState(self, ChanceGame(self.settings))

    def max_chance_nodes_in_history(self) -> int:
        """The draws of the set-up, and two after every turn."""
        variant = self.settings.variant
        return len(setup_draws(variant.seats, variant.rewards)) + 2 * variant.turns

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SanssouciObserver | None":
        """An observer of one player's knowledge, with or without the past; None for any other kind."""
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SanssouciObserver(self.settings, kind.perfect_recall)


class SanssouciState(pyspiel.State):
    """A state of the game; everything but OpenSpiel's own history is in ``position``.

    Some methods of ``pyspiel.State`` are defined again: from Python they then need no detour through C++.
    """

    def __init__(self, game: SanssouciGame, position: ChanceGame) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        return self.position.player

    def is_terminal(self) -> bool:
        return self.position.player == TERMINAL

    def is_chance_node(self) -> bool:
        return self.position.player == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.player else []

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a player, or those of the current one; at a chance node, its outcomes."""
        position = self.position
        if position.player == CHANCE:
            return [*position.weights()]
        return position.legal() if player is None or player == position.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the next draw and their probabilities."""
        weights = self.position.weights()
        total = sum(weights.values())
        return [(outcome, weight / total) for outcome, weight in weights.items()]

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The observation of a player, or of the current one."""
        seat = self.position.player if player is None else player
        if not 0 <= seat < self.position.settings.variant.seats:
            super().observation_tensor(seat)  # raises OpenSpiel's own error
        return self.position.tensor(seat)

    def _apply_action(self, action: int) -> None:
        self.position.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player == CHANCE else action_name(action)

    def returns(self) -> list[float]:
        """The rewards of the end; zeros before."""
        return self.position.rewards()

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "SanssouciState":
        """A state that this player cannot tell from this one: what it has not seen is dealt again.

        All such deals are equally likely; what the others' choices say about their hands is not considered.
        """
        position = self.position
        if position.player != player_id:
            raise ValueError("states are resampled for the player to move")

        def below(bound: int) -> int:
            return min(int(probability_sampler() * bound), bound - 1)

        draws = iter(position.resampled(player_id, below))
        other: SanssouciState = self.get_game().new_initial_state()
        for event in position.events:
            if event.kind != TURN:
                other.apply_action(next(draws))
                continue
            for action in actions_of(decode(event.outcome)):
                other.apply_action(action)
        for action in position.chosen:
            other.apply_action(action)
        return other

    def __str__(self) -> str:
        position = self.position
        return "\n".join([*map(_event_text, position.events), *map(action_name, position.chosen)])


class SanssouciObserver:
    """The knowledge of one player, as a tensor with named parts and as a string.

    With perfect recall, the turns so far are added: each as its stage actions, the tile that refilled the
    display, and the card drawn, if it was the player's own.
    """

    def __init__(self, settings: Settings, perfect_recall: bool) -> None:
        seats, self._recall = settings.variant.seats, perfect_recall
        size, turns = observation_size(seats), ROUNDS * seats
        self.tensor = np.zeros(size + (turns * _TURN_SIZE if self._recall else 0), np.float32)
        self.dict = {
            part.name: self.tensor[part.start : part.stop].reshape(part.shape) for part in fields(seats)
        }
        if self._recall:
            self.dict["turns"] = self.tensor[size:].reshape(turns, _TURN_SIZE)

    def set_from(self, state: SanssouciState, player: int) -> None:
        """Fill the tensor; it is empty while the game is dealt."""
        position = state.position
        seen = position.observe(player)
        self.tensor[: len(seen)] = seen
        if self._recall:
            self.dict["turns"].fill(0)
            if position.dealt:
                self._fill_turns(position.events, player)

    def _fill_turns(self, events: list[Event], player: int) -> None:
        turns, number = self.dict["turns"], -1
        for kind, seat, outcome in events:
            if kind == TURN:
                number += 1
                turns[number, list(actions_of(decode(outcome)))] = 1
            elif number >= 0 and kind == TILE:
                turns[number, ACTIONS + outcome] = 1
            elif number >= 0 and seat == player:
                turns[number, ACTIONS + 9 + outcome] = 1

    def string_from(self, state: SanssouciState, player: int) -> str:
        """The same as text: the view, or with perfect recall everything the player has seen."""
        position, lines = state.position, [f"seat {player}"]
        game = position.state
        if self._recall:
            lines += map(_event_text, _seen_events(position, player))
        elif game is not None:
            lines.append(draw(game.view(player)))
        if position.player == player:
            lines += map(action_name, position.chosen)
            lines.append(f"{stage_of(position.legal()[0]).name.lower()}?")
        return "\n".join(lines)


def _seen_events(position: ChanceGame, player: int) -> list[Event]:
    """What a player has seen: its missions and first cards, the other draws of the set-up, then the game.

    The order in which missions and first cards were drawn means nothing, so they are sorted: states that
    differ in it only are one information set. Everyone's missions are seen once the game is over (R12).
    """
    variant, over = position.settings.variant, position.player == TERMINAL
    dealt = len(setup_draws(variant.seats, variant.rewards))
    seen: list[Event] = []
    secrets: list[Event] = []
    for number, event in enumerate(position.events):
        if event.kind not in HIDDEN:
            seen.append(event)
        elif event.seat == player or (over and event.kind == MISSION):
            (secrets if number < dealt else seen).append(event)
    return [*sorted(secrets), *seen]


def _event_text(event: Event) -> str:
    kind, seat, outcome = event
    if kind == TURN:
        return f"{seat}: {write_turn(decode(outcome))}"
    names: dict[str, Callable[[int], str]] = {
        CARD: write_card,
        TILE: LETTERS.__getitem__,
        MISSION: LETTERS.__getitem__,
    }
    owner = "" if seat == SHARED else f"{seat}: "
    return f"{owner}{kind} {names.get(kind, str)(outcome)}"


pyspiel.register_game(_game_type("win"), SanssouciGame)
