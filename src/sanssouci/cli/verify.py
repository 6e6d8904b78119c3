"""``sanssouci verify``: replays records and reports illegal ones."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError, printable

from .game_options import Json, named_boards
from .language import Lang, current_language, sentence, set_language
from .output import print_json, print_line, print_notice, progress_bar

if TYPE_CHECKING:
    from sanssouci.editions import BoardSet


@dataclass(frozen=True)
class Fault:
    """A record that is not legal."""

    file: str
    sentence: str
    rule: str | None = None
    turn: int | None = None


def verify(
    files: Annotated[list[Path], typer.Argument(help="Game records.", metavar="FILE…", readable=False)],
    seed: Annotated[
        bool, typer.Option("--seed", help="Also deal every game again from its seed and compare the set-up.")
    ] = False,
    boards: Annotated[
        str, typer.Option(help="With --seed: your own boards file, if the game was played with one.")
    ] = "",
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HEX", help="With --seed and one record: the commitment that was shown before the game."
        ),
    ] = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Replay game records and check every set-up, turn and result against the rules.

    Prints one line per invalid file, with the turn and the rule; exits with status 1 if any file is invalid.

    Example: sanssouci verify --seed records/*.json
    """
    set_language(lang)
    if boards and not seed:
        raise UserError("cli.boards_without_seed")
    if commitment is not None and (not seed or len(files) != 1):
        raise UserError("cli.commitment_alone")
    known = [named_boards(boards)] if boards else []
    faults = []
    with progress_bar() as bar:
        for path in bar.track(files, description=sentence("verify.progress")):
            fault = _fault(path, seed, known, commitment)
            if fault is not None:
                faults.append(fault)
                if not json:
                    print_line(f"{fault.file}: {fault.sentence}")
    if json:
        print_json(_document(len(files), faults))
    else:
        print_notice(
            sentence(
                "verify.proved" if seed else "verify.summary",
                legal=len(files) - len(faults),
                files=len(files),
            )
        )
    raise typer.Exit(1 if faults else 0)


def _fault(path: Path, seed: bool, known: "list[BoardSet]", commitment: str | None) -> Fault | None:
    from sanssouci.dealer import check_commitment, prove, start_is_unproved
    from sanssouci.notation import RecordError, read_record
    from sanssouci.notation import verify as verify_record

    name = printable(path)
    try:
        record = read_record(path)
        verify_record(record)
        if seed:
            prove(record, known)
        if commitment is not None:
            shown = printable(commitment.strip())
            check_commitment(record, shown)
            if start_is_unproved(record, shown):
                print_notice(sentence("verify.chosen_start"))
    except RecordError as error:
        return Fault(name, error.translate(current_language()), error.rule, error.turn)
    except UserError as error:
        return Fault(name, error.translate(current_language()))
    return None


def _document(files: int, faults: list[Fault]) -> dict[str, Any]:
    return {
        "files": files,
        "legal": files - len(faults),
        "bad": [{"file": f.file, "turn": f.turn, "rule": f.rule, "reason": f.sentence} for f in faults],
    }
