"""The ``sanssouci`` application: its commands, help, and one sentence for each user error."""

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from . import (
    admin,
    analyse,
    arena,
    bench,
    boards,
    bot,
    dataset,
    perft,
    play,
    players,
    replay,
    rules,
    serve,
    simulate,
    strength,
    train,
    verify,
    worker,
)
from .language import current_language, sentence
from .output import OutputFailed, give_up_output, watch_output

app = typer.Typer(
    name="sanssouci",
    help="Play, host, simulate and analyse the board game Sanssouci.",
    epilog="Without a command, sanssouci opens the game in the browser. "
    "To play in the terminal, run sanssouci play.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("analyse")(analyse.analyse)
app.command("rules")(rules.rules)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("simulate")(simulate.simulate)
app.command("dataset")(dataset.dataset)
app.command("arena")(arena.arena)
app.command("players")(players.players)
app.command("bot")(bot.bot)
app.command("verify")(verify.verify)
app.command("perft")(perft.perft)
app.command("bench")(bench.bench)
app.command("strength")(strength.strength)
app.command("train")(train.train)
app.add_typer(boards.app, name="boards")
app.add_typer(admin.app, name="admin")

_USAGE_ERROR = typer.BadParameter.__base__ or typer.BadParameter
"""Raised by typer for wrong arguments; it has no public name for it."""


def _show_version(wanted: bool) -> None:
    if wanted:
        from sanssouci import __version__

        typer.echo(f"sanssouci {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Play, host, simulate and analyse the board game Sanssouci.

    Without a command, sanssouci opens the game in the browser.
    """
    if context.invoked_subcommand is None:
        serve.open_game()


def main() -> None:
    """Run a command; a user error ends with one sentence and exit status 2."""
    _open_missing_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # characters that the terminal cannot show become "?"
    watch_output()
    try:
        status = app(standalone_mode=False, prog_name="sanssouci")
        sys.stdout.flush()
        sys.exit(status)
    except (typer.Abort, KeyboardInterrupt):
        _say(sentence("cli.stopped"))
        sys.exit(130)
    except OutputFailed as failed:
        give_up_output()
        if not failed.unread:
            _say(failed.translate(current_language()))
        sys.exit(1)
    except Exception as error:
        mistake = _mistake(error)
        if mistake is None:
            raise
        _say(mistake)
        sys.exit(2)


def _open_missing_streams() -> None:
    """Replace output streams that the caller has closed, which Python sets to None, by the null device."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        print(f"sanssouci: {text}", file=sys.stderr)


def _mistake(error: Exception) -> str | None:
    """The sentence for a user error; None for any other exception."""
    from sanssouci.locale import UserError
    from sanssouci.notation import write_refusal
    from sanssouci.rules import Refused

    if isinstance(error, UserError):
        return error.translate(current_language())
    if isinstance(error, Refused):
        return write_refusal(error.refusal, current_language())
    if isinstance(error, OSError):
        return _system_sentence(error)
    return _usage_sentence(error) if isinstance(error, _USAGE_ERROR) else None


def _system_sentence(error: OSError) -> str:
    """The reason of an ``OSError``, and its file if it names one."""
    from sanssouci.locale import UserError, os_error_reason, printable

    reason = os_error_reason(error)
    said = reason.translate(current_language()) if isinstance(reason, UserError) else printable(reason)
    return said if error.filename is None else f"{printable(os.fsdecode(error.filename))}: {said}"


def _usage_sentence(error: Any) -> str:
    """The error in the arguments, and where the help is."""
    path = error.ctx.command_path if error.ctx else "sanssouci"
    return f"{error.format_message().rstrip('.')} (try: {path} --help)"
