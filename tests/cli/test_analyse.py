"""sanssouci analyse: what it prints and writes, and what is wrong with a call or a record."""

import json
import os
import re
import sys
from pathlib import Path

import pexpect
import pytest
from rich.cells import cell_len

from sanssouci.locale import LANGUAGES, translate
from sanssouci.review import ROLLOUTS_A_TURN, percent

from ..playthrough import RECORDS
from .command import mistake, run

GAME = RECORDS / "stopped-early.json"
FEW = ["--rollouts", 20, "--threads", 1]


def test_analyse_shows_every_turn(tmp_path: Path) -> None:
    """The graph, a line for each turn, the sums, the turning points; the page beside it."""
    done = run("analyse", GAME, *FEW, "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0 and "20 simulated games" in done.stderr
    record = json.loads(GAME.read_text(encoding="utf-8"))
    for turn in record["turns"]:
        assert f" {turn} " in done.stdout
    for words in ("100%", "Skill and luck", "Turning points", "others' turns", "→", "stopped after turn"):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80 and "\x1b[" not in done.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_analyse_gives_one_document() -> None:
    """The same again for the same seed, on more threads too; another seed gives another."""
    one = run("analyse", GAME, *FEW, "--json")
    two = run("analyse", GAME, "--rollouts", 20, "--threads", 3, "--json", "--seed", "0")
    other = run("analyse", GAME, *FEW, "--json", "--seed", "1")
    document = json.loads(one.stdout)
    assert one.stdout == two.stdout != other.stdout and one.stderr == ""
    assert document["format"] == "sanssouci-analysis/1" and document["over"] is False
    assert f"[default: ({ROLLOUTS_A_TURN})]" in run("analyse", "--help", COLUMNS="200").stdout
    assert document["rollouts"] == 20 and document["seed"] == "0" * 64


@pytest.mark.parametrize("language", LANGUAGES)
def test_analyse_speaks(language: str, tmp_path: Path) -> None:
    """Table and page in one language; four seats fit in 80 columns."""
    game = tmp_path / "game.json"
    record = json.loads((RECORDS / "imperial-rewards-boar-4.json").read_text(encoding="utf-8"))
    record["turns"] = record["turns"][:6]
    del record["result"]
    game.write_text(json.dumps(record), encoding="utf-8")
    done = run("analyse", game, *FEW, "--lang", language, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for key in ("analyse.sums", "analyse.turning", "analyse.missed"):
        assert translate(key, language) in done.stdout and translate(key, language) in page
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stdout.count(percent(1, language)) >= 4, "a strip for each seat"


def test_analyse_refuses_in_one_sentence(tmp_path: Path) -> None:
    """A record that is none is told as verify tells it; what cannot be written, before anything is played."""
    bad = tmp_path / "bad.json"
    record = json.loads(GAME.read_text(encoding="utf-8"))
    record["turns"][1] = "a@0-a2/a1"
    bad.write_text(json.dumps(record), encoding="utf-8")
    said = mistake("analyse", bad)
    assert run("verify", bad).stdout.strip() in said and "turn 2" in said
    (tmp_path / "page.html").write_text("mine", encoding="utf-8")
    for arguments, words in (
        (["nowhere.json"], "no such file"),
        ([GAME, "--rollouts", 0], "a number from 1 to 1000000"),
        ([GAME, "--rollouts", 1000001], "a number from 1 to 1000000"),
        ([GAME, "--threads", 0], "0 threads"),
        ([GAME, "--seed", "x"], "not a seed"),
        ([GAME, "--html", "page.html"], "--force"),
        ([GAME, "--html", "nowhere/page.html"], "does not exist"),
        ([GAME, "--lang", "la"], "not a language"),
    ):
        assert words in mistake("analyse", *arguments, cwd=tmp_path)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "mine"
    assert run("analyse", GAME, *FEW, "--html", "page.html", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("link", [False, True])
def test_analyse_does_not_write_over_its_record(link: bool, tmp_path: Path) -> None:
    """Not even with --force, nor by a link; before any work is done."""
    game = tmp_path / "game.json"
    game.write_bytes(GAME.read_bytes())
    page = tmp_path / "page.html" if link else game
    if link:
        page.symlink_to(game)
    assert "is the record itself" in mistake("analyse", game, "--html", page, "--force", "--rollouts", 0)
    assert game.read_bytes() == GAME.read_bytes()


def test_analyse_at_poor_terminals(tmp_path: Path) -> None:
    """Few signs, 40 columns, names twice as wide or the same: no sign is lost, no line too long."""
    game = tmp_path / "game.json"
    record = json.loads(GAME.read_text(encoding="utf-8"))
    for seat in record["seats"]:
        seat["name"] = "Johann Sebastian"
    game.write_text(json.dumps(record), encoding="utf-8")
    poor = run("analyse", game, *FEW, COLUMNS="40", PYTHONIOENCODING="ascii")
    assert "?" not in poor.stdout + poor.stderr and " -> " in poor.stdout
    assert "Johann Seba.  " in poor.stdout, "a name that was cut"
    rows = [line for line in poor.stdout.splitlines() if " -> " in line or "@" in line]
    assert max(map(len, rows)) <= 40 and len(rows) >= 2 * len(record["turns"])
    assert "Johann Sebastian (1), Johann Sebastian (2)" in poor.stdout.replace("\n", " ")
    for seat in record["seats"]:
        seat["name"] = "太郎さん太郎さん"
    game.write_text(json.dumps(record), encoding="utf-8")
    wide = run("analyse", game, *FEW, PYTHONIOENCODING="utf-8").stdout.splitlines()
    starts = {cell_len(line[: line.index("@")]) for line in wide if re.match(r" +\d+  太", line)}
    assert max(map(cell_len, wide)) <= 80
    assert max(starts) - min(starts) <= 1, "cards have one sign or two, names take the same room"


def test_analyse_can_be_stopped(tmp_path: Path) -> None:
    """Ctrl-C while the bar runs: status 130, no traceback, no page."""
    arguments = ["-m", "sanssouci", "analyse", str(RECORDS / "imperial-base-4.json"), "--html", "page.html"]
    environment = os.environ | {"LANG": "en_GB.UTF-8", "LC_ALL": "", "TERM": "xterm"}
    child = pexpect.spawn(
        sys.executable,
        [*arguments, "--rollouts", "100000"],
        env=environment,
        encoding="utf-8",
        cwd=tmp_path,
        timeout=60,
    )
    child.expect("positions")
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "Traceback" not in str(child.before) and re.search(
        r"stopped after \d+ of 73 pos", str(child.before)
    )
    child.close()
    assert child.exitstatus == 130 and not list(tmp_path.iterdir())
