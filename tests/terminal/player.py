"""Plays whole games at a terminal by what the screen says."""

import pytest

from sanssouci.locale import translate
from sanssouci.terminal.staging import Stage

from .robot import Robot

WRONG = [
    *("", " ", "0x", "99", "-1", "z9", "a7", "j1", "36@", "36@2-g3/g3/g3", "zz@0-a2", "@", "é", "\t", "true"),
    *("yes please no", "q1", "a@0-a2~x", "why", "why z9", "x" * 300, "../../etc/passwd", "[bold]", "{name}"),
]
STAGES = {
    Stage.CARD: "ask.card",
    Stage.SPACE: "ask.space",
    Stage.SQUARE: "ask.square",
    Stage.BOAR: "ask.boar",
    Stage.NOBLE: "ask.noble",
    Stage.CONFIRM: "ask.confirm",
}


class Player:
    """Plays a whole game by what the screen says."""

    def __init__(self, robot: Robot, name: str = "Ada") -> None:
        self.robot = robot
        language = robot.language
        self.prompts = [translate(key, language, name=name) for key in STAGES.values()]
        self.side = translate("pick.ask", language, sides=2)
        self.yes = translate("command.yes", language).split()[0]
        self.met: set[Stage] = set()
        self.turns = 0

    def play(self, turns: int = 18, wrong: list[str] | None = None) -> None:
        """Play so many turns; at every kind of prompt type all that is wrong first, once."""
        for _ in range(400):
            if self.turns == turns:
                return
            found = self.robot.read_until([*self.prompts, self.side])
            assert found >= 0, self.robot.seen
            if found == len(self.prompts):
                self.robot.type("2")
            else:
                self._answer(Stage(found), wrong)
        pytest.fail("the game does not come to an end")

    def finish(self, answer: str = "q") -> str:
        """After the last turn: answer the offer of a review, and read to the end; all that was shown."""
        assert self.robot.read_until([translate("review.offer", self.robot.language)]) == 0
        shown = self.robot.seen
        self.robot.type(answer)
        assert self.robot.read_until([]) == -1
        return shown + self.robot.seen

    def turn_from_here(self) -> None:
        """Finish the turn at whose first question the robot stands."""
        self._answer(Stage.CARD, None)
        self.play(turns=self.turns + 1)

    def _answer(self, stage: Stage, wrong: list[str] | None) -> None:
        choices = self.robot.choices()
        if wrong and stage not in self.met:
            self.met.add(stage)
            for text in wrong:
                self.robot.type(text)
                assert self.robot.read_until(self.prompts) == stage, f"{text!r} was taken at {stage.name}"
                assert "Traceback" not in self.robot.seen
        if stage is Stage.CONFIRM:
            self.robot.type(self.yes)
            self.turns += 1
        else:
            self.robot.type(choices[-1])
