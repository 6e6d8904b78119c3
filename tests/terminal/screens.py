"""Every screen as text, for review and comparison.

Regenerate the files after an intended change with ``python -m tests.terminal.screens``.
"""

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from rich.console import Console, RenderableType

from sanssouci.dealer import FairDealer
from sanssouci.editions import Words, load_edition
from sanssouci.locale import LANGUAGES, rule_text
from sanssouci.review import hint
from sanssouci.rules import IMPERIAL, RAVENSBURGER, Variant, motif_on
from sanssouci.terminal import PERSON, PlayerConsole, Seat, Session, rule_drawing
from sanssouci.terminal.choices import choices
from sanssouci.terminal.commands import help_lines
from sanssouci.terminal.drawing import Highlights
from sanssouci.terminal.explain import explain
from sanssouci.terminal.hints import hint_text
from sanssouci.terminal.picking import show_side
from sanssouci.terminal.plain_text import end_text, garden_text, table_text, turn_text
from sanssouci.terminal.screen import end_screen, own_garden, small_table, table_screen, unplayed_lines
from sanssouci.terminal.staging import Staged, TurnStep

SNAPSHOTS = Path(__file__).parent / "snapshots"
NAMES = ["Ada", "Berta", "Camilo", "Ángela"]
BOTH = Variant(4, IMPERIAL, rewards=True, wild_boar=True)


def drawn(renderable: RenderableType, width: int = 80) -> str:
    """The output of a terminal without colours."""
    output = io.StringIO()
    Console(file=output, width=width, color_system=None).print(renderable)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def a_session(variant: Variant, turns: int) -> Session:
    """A game after some turns, all chosen by a fixed rule."""
    dealer = FairDealer(bytes(range(32)), "screens", ("",) * variant.seats)
    seats = tuple(Seat(name, PERSON if name == "Ada" else "random") for name in NAMES[: variant.seats])
    session = Session(variant, load_edition(variant.edition).boards, seats, dealer)
    while len(session.turns) < turns:
        if picking := session.seats_to_pick():
            session.pick(picking[0], 0)
        else:
            options = list(session.state.options())
            session.play(options[(7 * len(session.turns)) % len(options)])
    return session


@cache
def a_boar_session() -> Session:
    """A game in which the last choices of the seat to move can disturb the boar."""
    for turns in range(1, 72):
        session = a_session(replace(BOTH, seats=2 + turns // 36), turns % 36 or 1)
        options = session.state.options()
        if len(options.boar(list(options)[-1].square)) > 1:
            return session
    raise AssertionError("no such position")


@cache
def screens(language: str) -> list[tuple[str, str]]:
    """Every screen of a language, with its name."""
    return [*_screens(language)]


def _screens(language: str) -> Iterator[tuple[str, str]]:
    yield from _pick_screens(language)
    base, both, boar = a_session(Variant(2), 12), a_session(BOTH, 48), a_boar_session()
    for name, session in (("base", base), ("both", both), ("boar", boar)):
        words = Words(language, session.variant.edition)
        names = NAMES[: session.variant.seats]
        view = session.state.view(session.state.to_move)
        yield f"table {name}", drawn(table_screen(view, names, words))
        yield f"narrow {name}", drawn(table_screen(view, names, words, compact=True), 50)
        yield f"told {name}", "\n".join(table_text(view, names, words))
        yield f"garden {name}", "\n".join(garden_text(names[0], view.gardens[0], words))
        yield f"cards {name}", "\n".join(unplayed_lines(view, names, words))
        yield (
            f"turn {name}",
            "\n".join(turn_text(session.states[-2], session.turns[-1], session.state, names, words)),
        )
        yield from _stages(name, session, words)
        yield f"told hint {name}", "\n".join(hint_text(hint(view, bytes(32), 200), view, names, words))
    words = Words(language, RAVENSBURGER)
    yield "help", "\n".join(help_lines(PlayerConsole(Console(width=80), words, plain=False)))
    yield "goal", words.translate("terminal.goal")
    over = a_session(Variant(3), 54)
    yield "end", drawn(end_screen(over.state, NAMES[:3], words))
    yield "narrow end", drawn(end_screen(over.state, NAMES[:3], words, compact=True), 50)
    yield "told end", "\n".join(end_text(over.state, NAMES[:3], words))
    for number in (20, 29, 36):
        yield f"rule {number}", drawn(rule_drawing(rule_text(number, language), words, plain=False))
    staged = Staged(base.state.options()).settled()
    for text in ("36", "9", "e6", "c5", "a1", ""):
        yield f"told why {text}", "\n".join(explain(staged, text, Words(language, RAVENSBURGER)))


def _pick_screens(language: str) -> Iterator[tuple[str, str]]:
    session = a_session(Variant(2, RAVENSBURGER, rewards=True), 0)
    for phase in ("garden", "reward"):
        output = io.StringIO()
        console = PlayerConsole(
            Console(file=output, width=80, color_system=None), Words(language, RAVENSBURGER), plain=False
        )
        show_side(session.setup.view(0), 1, console)
        yield f"pick {phase}", "\n".join(line.rstrip() for line in output.getvalue().split("\n"))
        session.pick(0, 1)
        session.pick(1, 1)


def _stages(name: str, session: Session, words: Words) -> Iterator[tuple[str, str]]:
    """Every step of a turn, always with the last choice."""
    view = session.state.view(session.state.to_move)
    score = view.scores[view.to_move]
    staged = Staged(view.options()).settled()
    while staged.step is not TurnStep.CONFIRM:
        found = choices(staged, score, words)
        lines = [f"{choice.sign:<3} {choice.meaning}" for choice in found]
        yield f"stage {name} {staged.step.name.lower()}", "\n".join(lines)
        if staged.step >= TurnStep.SQUARE:
            pointed = {choice.value: choice.brings for choice in found if choice.value is not None}
            laid = staged.step > TurnStep.SQUARE
            targets = Highlights(pointed, staged.chosen[TurnStep.SQUARE] if laid else None)
            garden = view.options().garden.after(staged.turn()) if laid else view.options().garden
            yield f"drawn {name} {staged.step.name.lower()}", drawn(own_garden(view, garden, words, targets))
            yield (
                f"small {name} {staged.step.name.lower()}",
                drawn(small_table(view, garden, words, targets), 50),
            )
        staged = staged.choose(staged.choices()[-1])
    turn = staged.turn()
    yield f"stage {name} confirm", "\n".join(words.turn("Ada", turn, motif_on(view.display, turn.space)))


def snapshot(language: str) -> str:
    """All screens of a language as one text."""
    return "".join(f"=== {name} ===\n{text.rstrip()}\n\n" for name, text in screens(language))


def write_all() -> None:
    SNAPSHOTS.mkdir(exist_ok=True)
    for language in LANGUAGES:
        (SNAPSHOTS / f"{language}.txt").write_text(snapshot(language), encoding="utf-8")


if __name__ == "__main__":
    write_all()
