"""Plays whole games in a terminal by reading the screen."""

import pytest

from sanssouci.locale import translate
from sanssouci.terminal.staging import TurnStep

from .robot import Robot

WRONG = [
    *("", " ", "0x", "99", "-1", "z9", "a7", "j1", "36@", "36@2-g3/g3/g3", "zz@0-a2", "@", "é", "\t", "true"),
    *("yes please no", "q1", "a@0-a2~x", "why", "why z9", "x" * 300, "../../etc/passwd", "[bold]", "{name}"),
]
STAGES = {
    TurnStep.CARD: "ask.card",
    TurnStep.SPACE: "ask.space",
    TurnStep.SQUARE: "ask.square",
    TurnStep.BOAR: "ask.boar",
    TurnStep.NOBLE: "ask.noble",
    TurnStep.CONFIRM: "ask.confirm",
}


class Player:
    """Plays a game by choosing from the screen."""

    def __init__(self, robot: Robot, name: str = "Ada") -> None:
        self.robot = robot
        language = robot.language
        self.prompts = [translate(key, language, name=name) for key in STAGES.values()]
        self.side = translate("pick.ask", language, sides=2)
        self.yes = translate("command.yes", language).split()[0]
        self.met: set[TurnStep] = set()
        self.turns = 0

    def play(self, turns: int = 18, wrong: list[str] | None = None) -> None:
        """Play a number of turns; type each wrong input once at every kind of prompt first."""
        for _ in range(400):
            if self.turns == turns:
                return
            found = self.robot.read_until([*self.prompts, self.side])
            assert found >= 0, self.robot.seen
            if found == len(self.prompts):
                self.robot.type("2")
            else:
                self._answer(TurnStep(found), wrong)
        pytest.fail("the game does not end")

    def finish(self, answer: str = "q") -> str:
        """After the last turn, answer the offer of a review; return everything shown."""
        assert self.robot.read_until([translate("review.offer", self.robot.language)]) == 0
        shown = self.robot.seen
        self.robot.type(answer)
        assert self.robot.read_until([]) == -1
        return shown + self.robot.seen

    def finish_turn(self) -> None:
        """Finish the turn whose first question is on the screen."""
        self._answer(TurnStep.CARD, None)
        self.play(turns=self.turns + 1)

    def _answer(self, step: TurnStep, wrong: list[str] | None) -> None:
        choices = self.robot.choices()
        if wrong and step not in self.met:
            self.met.add(step)
            for text in wrong:
                self.robot.type(text)
                assert self.robot.read_until(self.prompts) == step, f"{text!r} was taken at {step.name}"
                assert "Traceback" not in self.robot.seen
        if step is TurnStep.CONFIRM:
            self.robot.type(self.yes)
            self.turns += 1
        else:
            self.robot.type(choices[-1])
