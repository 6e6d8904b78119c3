"""``sanssouci analyse``: its output, and errors in arguments and records."""

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
from .command import run, usage_error

GAME = RECORDS / "stopped-early.json"
FAST = ["--rollouts", 20, "--threads", 1]


def test_analyse_shows_every_turn(tmp_path: Path) -> None:
    """The output has the graph, a line for each turn, totals and turning points; --html writes a page."""
    done = run("analyse", GAME, *FAST, "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0 and "20 simulated games" in done.stderr
    record = json.loads(GAME.read_text(encoding="utf-8"))
    for turn in record["turns"]:
        assert f" {turn} " in done.stdout
    for words in ("100%", "Skill and luck", "Turning points", "others' turns", "→", "stopped after turn"):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80 and "\x1b[" not in done.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_analyse_writes_one_json_document() -> None:
    """The JSON document depends on the seed, but not on the number of threads."""
    one = run("analyse", GAME, *FAST, "--json")
    two = run("analyse", GAME, "--rollouts", 20, "--threads", 3, "--json", "--seed", "0")
    other = run("analyse", GAME, *FAST, "--json", "--seed", "1")
    document = json.loads(one.stdout)
    assert one.stdout == two.stdout != other.stdout and one.stderr == ""
    assert document["format"] == "sanssouci-analysis/1" and document["over"] is False
    assert f"[default: ({ROLLOUTS_A_TURN})]" in run("analyse", "--help", COLUMNS="200").stdout
    assert document["rollouts"] == 20 and document["seed"] == "0" * 64


@pytest.mark.parametrize("language", LANGUAGES)
def test_analyse_is_translated(language: str, tmp_path: Path) -> None:
    """Table and page are translated, and four seats fit in 80 columns."""
    game = tmp_path / "game.json"
    record = json.loads((RECORDS / "imperial-rewards-boar-4.json").read_text(encoding="utf-8"))
    record["turns"] = record["turns"][:6]
    del record["result"]
    game.write_text(json.dumps(record), encoding="utf-8")
    done = run("analyse", game, *FAST, "--lang", language, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for key in ("analyse.sums", "analyse.turning", "analyse.missed"):
        assert translate(key, language) in done.stdout and translate(key, language) in page
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stdout.count(percent(1, language)) >= 4, "a graph for each seat"


def test_analyse_refuses_in_one_sentence(tmp_path: Path) -> None:
    """Invalid records and options are reported in one sentence, before anything is computed."""
    bad = tmp_path / "bad.json"
    record = json.loads(GAME.read_text(encoding="utf-8"))
    record["turns"][1] = "a@0-a2/a1"
    bad.write_text(json.dumps(record), encoding="utf-8")
    message = usage_error("analyse", bad)
    assert run("verify", bad).stdout.strip() in message and "turn 2" in message
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
        assert words in usage_error("analyse", *arguments, cwd=tmp_path)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "mine"
    assert run("analyse", GAME, *FAST, "--html", "page.html", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("link", [False, True])
def test_analyse_never_overwrites_its_record(link: bool, tmp_path: Path) -> None:
    """The page never replaces the record itself, not even with --force or through a link."""
    game = tmp_path / "game.json"
    game.write_bytes(GAME.read_bytes())
    page = tmp_path / "page.html" if link else game
    if link:
        page.symlink_to(game)
    assert "is the record itself" in usage_error("analyse", game, "--html", page, "--force", "--rollouts", 0)
    assert game.read_bytes() == GAME.read_bytes()


def test_analyse_on_limited_terminals(tmp_path: Path) -> None:
    """ASCII output, 40 columns, double-width and equal names lose no characters and keep lines short."""
    game = tmp_path / "game.json"
    record = json.loads(GAME.read_text(encoding="utf-8"))
    for seat in record["seats"]:
        seat["name"] = "Johann Sebastian"
    game.write_text(json.dumps(record), encoding="utf-8")
    narrow = run("analyse", game, *FAST, COLUMNS="40", PYTHONIOENCODING="ascii")
    assert "?" not in narrow.stdout + narrow.stderr and " -> " in narrow.stdout
    assert "Johann Seba.  " in narrow.stdout, "a shortened name"
    rows = [line for line in narrow.stdout.splitlines() if " -> " in line or "@" in line]
    assert max(map(len, rows)) <= 40 and len(rows) >= 2 * len(record["turns"])
    assert "Johann Sebastian (1), Johann Sebastian (2)" in narrow.stdout.replace("\n", " ")
    for seat in record["seats"]:
        seat["name"] = "太郎さん太郎さん"
    game.write_text(json.dumps(record), encoding="utf-8")
    wide = run("analyse", game, *FAST, PYTHONIOENCODING="utf-8").stdout.splitlines()
    starts = {cell_len(line[: line.index("@")]) for line in wide if re.match(r" +\d+  太", line)}
    assert max(map(cell_len, wide)) <= 80
    assert max(starts) - min(starts) <= 1, "names have equal width, cards one or two characters"


def test_analyse_can_be_stopped(tmp_path: Path) -> None:
    """Ctrl-C during the analysis exits with 130, without a traceback or a page."""
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
