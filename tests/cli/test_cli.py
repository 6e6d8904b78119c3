"""The command line in real processes: output and exit status."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sanssouci.dealer import FAIR_2, FAIR_3, Scheme
from sanssouci.editions import shipped_boards, write_boards
from sanssouci.notation import write_record
from sanssouci.table import table_record

from ..playthrough import RECORDS
from ..processes import LINUX_ONLY
from ..table.hosted_table import Host
from .command import COMMAND, run, usage_error, wait_for

GOLDEN = RECORDS / "imperial-rewards-boar-2.json"


def test_help_describes_every_command() -> None:
    """Help lists every command, and every command has a usage line."""
    for arguments in (["--help"], ["-h"]):
        text = run(*arguments).stdout
        for command in ("play", "simulate", "verify", "perft", "boards"):
            assert command in text
    for words in ("play", "simulate", "verify", "perft", "boards", "boards check"):
        assert f"Usage: sanssouci {words}" in run(*words.split(), "--help").stdout
    assert run("boards").returncode == 0


def test_help_imports_nothing_heavy() -> None:
    """Help is fast because the engine is not imported."""
    code = (
        "import sys; sys.argv = ['sanssouci', '--help']\n"
        "from sanssouci.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'sanssouci.rules', 'sanssouci.arena', 'sanssouci.editions'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_verify_accepts_legal_records() -> None:
    """Legal records give exit status 0; --seed deals every set-up again."""
    done = run("verify", "--seed", *sorted(RECORDS.glob("*-[234].json")))
    assert (done.returncode, done.stdout) == (0, "")
    assert "18 of 18 records are legal and verified" in done.stderr


def test_verify_reports_each_bad_file_and_continues(tmp_path: Path) -> None:
    """Each bad file gives one line with turn and rule, and the other files are still checked."""
    document = json.loads(GOLDEN.read_bytes())
    document["turns"][11] = "36@2-g3/g3"
    bad = tmp_path / "game-000007.json"
    bad.write_text(json.dumps(document))
    (tmp_path / "latin.json").write_bytes(b'{"name": "\xe9"}')
    (tmp_path / "huge.json").write_bytes(b" " * 300_000)
    (tmp_path / "empty.json").write_bytes(b"")
    shutil.copy(GOLDEN, tmp_path / "good.json")
    names = ["game-000007.json", "latin.json", "huge.json", "empty.json", "none.json", ".", "good.json"]
    done = run("verify", *names, cwd=tmp_path)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith("game-000007.json: turn 12 (36@2-g3/g3): R")
    assert [line.split(":")[0] for line in lines] == names[:-1]
    assert "1 of 7 records are legal" in done.stderr


def test_verify_is_not_stopped_by_any_file(tmp_path: Path) -> None:
    """A named pipe, a loop of links and an invalid seed give one line each, and verify continues."""
    os.mkfifo(tmp_path / "pipe")
    simulated = run("simulate", "--games", 1, "--records", "out", cwd=tmp_path)
    assert simulated.returncode == 0
    document = json.loads((tmp_path / "out/game-000001.json").read_bytes())
    document["bulk"]["seed"] = "lucky"
    (tmp_path / "lucky.json").write_text(json.dumps(document))
    (tmp_path / "a\nb.json").write_text("[]")
    (tmp_path / "loop").symlink_to("loop")
    names = ["pipe", "lucky.json", "a\nb.json", "loop", "x" * 300, "out/game-000001.json"]
    done = run("verify", "--seed", *names, cwd=tmp_path)
    assert done.returncode == 1 and len(done.stdout.splitlines()) == 5
    assert "1 of 6" in done.stderr


@LINUX_ONLY
def test_unwritable_output_is_reported(tmp_path: Path) -> None:
    """Folders, overlong names, files used as folders and a full disk give one sentence each."""
    (tmp_path / "file").write_text("")
    for target in (".", "/", "file/x.toml", "x" * 300 + ".toml", "x" * 5000):
        assert usage_error("boards", "new", target, "--force", cwd=tmp_path)
    (tmp_path / "dangling").symlink_to("nowhere.toml")
    assert "--force" in usage_error("boards", "new", "dangling", cwd=tmp_path)
    assert run("boards", "new", "dangling", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "dangling").is_symlink() and (tmp_path / "nowhere.toml").exists()
    assert run("boards", "new", "a\nb.toml", cwd=tmp_path).returncode == 0
    assert run("boards", "check", "a\nb.toml", cwd=tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a\nb.toml",
        "dangling",
        "file",
        "nowhere.toml",
    ]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "boards", "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1 and done.stderr.count("\n") <= 2 and "Traceback" not in done.stderr


def test_a_terminal_without_utf8_is_no_error() -> None:
    """Characters that the terminal cannot show are replaced."""
    done = run("boards", "check", "nowhere", PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert run("--help", PYTHONIOENCODING="ascii").returncode == 0


def test_verify_as_json(tmp_path: Path) -> None:
    """``verify --json`` writes one document with all bad files."""
    (tmp_path / "a.json").write_text("[]")
    done = run("verify", "--json", "a.json", GOLDEN, cwd=tmp_path)
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert (document["files"], document["legal"], document["bad"][0]["file"]) == (2, 1, "a.json")


def test_verify_seed_finds_a_changed_deal(tmp_path: Path) -> None:
    """A legal record that its seed does not deal fails with --seed only."""
    document = json.loads(GOLDEN.read_bytes())
    document |= {"turns": [], "fair": document["fair"] | {"nonces": ["00", "11"]}}
    del document["result"]
    (tmp_path / "a.json").write_text(json.dumps(document))
    assert run("verify", "a.json", cwd=tmp_path).returncode == 0
    done = run("verify", "--seed", "a.json", cwd=tmp_path)
    assert done.returncode == 1 and "does not match what the seed deals" in done.stdout


def test_verify_compares_the_commitment_that_was_shown() -> None:
    """It needs one record and its seed, and names both commitments where they differ."""
    commitment = json.loads(GOLDEN.read_bytes())["fair"]["commitment"]
    assert run("verify", "--seed", "--commitment", commitment, GOLDEN).returncode == 0
    done = run("verify", "--seed", "--commitment", "0" * 64, GOLDEN)
    assert done.returncode == 1 and commitment in done.stdout and "0" * 64 in done.stdout
    assert run("verify", "--commitment", commitment, GOLDEN).returncode == 2
    assert run("verify", "--seed", "--commitment", commitment, GOLDEN, GOLDEN).returncode == 2


@pytest.mark.parametrize("scheme", [FAIR_2, FAIR_3])
def test_verify_proves_the_terms_by_the_commitment_to_the_deal(scheme: Scheme, tmp_path: Path) -> None:
    """R8: under fair/2, or with the commitment to the seed alone, a chosen start is left to the reader."""
    record = table_record(Host.of(2, first=1, scheme=scheme).start().play_out().state)
    assert record.fair is not None
    path = tmp_path / "a.json"
    path.write_bytes(write_record(record))
    for name in ("deal_commitment", "commitment"):
        done = run("verify", "--seed", "--commitment", str(dict(record.fair)[name]), path)
        covered = scheme == FAIR_3 and name == "deal_commitment"
        assert done.returncode == 0 and ("was chosen, not drawn" in done.stderr) is not covered
    changed = json.loads(path.read_bytes())
    changed["table"]["start"] = "drawn"
    path.write_text(json.dumps(changed))
    done = run("verify", "--seed", path)
    assert (done.returncode == 1 and "commitment to the deal" in done.stdout) is (scheme == FAIR_3)


def test_simulate_writes_one_record_per_game(tmp_path: Path) -> None:
    """The folder has one legal, verifiable record per game and nothing else."""
    options = ["--seats", 3, "--edition", "imperial", "--expansions", "rewards,wild_boar", "--seed", 7]
    done = run("simulate", "--games", 12, *options, "--records", "out/records", cwd=tmp_path)
    assert done.returncode == 0
    files = sorted(path.name for path in (tmp_path / "out/records").iterdir())
    assert files == [f"game-{number:06}.json" for number in range(1, 13)]
    assert run("verify", "--seed", *(tmp_path / "out/records").iterdir()).returncode == 0
    record = json.loads((tmp_path / "out/records/game-000001.json").read_bytes())
    assert record["expansions"] == ["rewards", "wild_boar"] and len(record["turns"]) == 54


def test_simulate_prints_a_summary(tmp_path: Path) -> None:
    """The table fits in 80 columns; the same seed gives the same JSON document."""
    table = run("simulate", "--games", 30, "--seats", 4, "--seed", 5).stdout
    assert max(map(len, table.splitlines())) <= 80 and "mean score" in table
    one = run("simulate", "--games", 30, "--seed", 5, "--json", cwd=tmp_path).stdout
    two = run("simulate", "--games", 30, "--seed", "0" * 63 + "5", "--json", cwd=tmp_path).stdout
    assert one == two
    document: dict[str, Any] = json.loads(one)
    assert document["games"] == 30 and len(document["seats"]) == 2
    assert sum(seat["win_share"] for seat in document["seats"]) == pytest.approx(1)
    assert document["boards"]["sha256"] == shipped_boards("parterre").sha256


def test_simulate_never_deletes_other_files(tmp_path: Path) -> None:
    """An existing folder is refused; --force replaces records only."""
    simulate = ["simulate", "--games", 2, "--records", "out"]
    assert run(*simulate, cwd=tmp_path).returncode == 0
    assert "--force" in usage_error(*simulate, cwd=tmp_path)
    assert run("simulate", "--games", 1, "--records", "out", "--force", cwd=tmp_path).returncode == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["game-000001.json"]
    (tmp_path / "out" / "diary.txt").write_text("dear diary")
    assert "diary.txt" in usage_error(*simulate, "--force", cwd=tmp_path)
    assert (tmp_path / "out" / "game-000001.json").exists()
    (tmp_path / "file").write_text("")
    assert "is a file" in usage_error("simulate", "--records", "file", cwd=tmp_path)
    assert "cannot be written" in usage_error("simulate", "--records", "file/below", cwd=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "0"], "--games: 0"),
        (["--games", "-3"], "--games: -3"),
        (["--games", "9" * 30], "at most"),
        (["--games", "many"], "--games"),
        (["--seats", "5"], "R1"),
        (["--seats", "1"], "R1"),
        (["--edition", "deluxe"], "ravensburger, imperial"),
        (["--expansions", "dragons"], "rewards, wild_boar"),
        (["--expansions", "wild_boar"], "R34"),
        (["--players", "chess"], "“chess”"),
        (["--players", "random,random,random", "--seats", "2"], "3 players"),
        (["--players", ""], "no player"),
        (["--seed", "lucky"], "lucky"),
        (["--boards", "nowhere.toml"], "nowhere.toml"),
        (["--unknown"], "--unknown"),
    ],
)
def test_simulate_refuses_in_one_sentence(arguments: list[str], message: str) -> None:
    """Invalid options give one clear sentence and exit status 2."""
    assert message in usage_error("simulate", *arguments)


def test_simulate_keeps_finished_games_after_ctrl_c(tmp_path: Path) -> None:
    """After Ctrl-C, every record is complete, and the summary counts the finished games."""
    process = subprocess.Popen(
        [*COMMAND, "simulate", "--games", "1000000", "--records", "out", "--json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for((tmp_path / "out" / "game-000003.json").exists)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in errors and "stopped after" in errors
    files = list((tmp_path / "out").iterdir())
    assert len(files) in (json.loads(output)["games"], json.loads(output)["games"] + 1)
    assert run("verify", *files).returncode == 0


def test_custom_boards_are_used_and_verified(tmp_path: Path) -> None:
    """Games on a custom boards file verify with --seed only if --boards names the file."""
    (tmp_path / "mine.toml").write_text(
        '[boards]\nname = "mine"\n' + '[[boards.gardens]]\nfront = ["b2", "c3", "d4", "e5", "f6", "i2"]\n' * 4
    )
    check = run("boards", "check", "mine.toml", cwd=tmp_path)
    assert check.returncode == 0 and "“mine” is complete" in check.stdout
    run("simulate", "--games", 2, "--boards", "mine.toml", "--records", "out", cwd=tmp_path)
    record = json.loads((tmp_path / "out/game-000001.json").read_bytes())
    assert record["setup"]["gardens"][0] == ["b2", "i2", "c3", "d4", "e5", "f6"]
    files = list((tmp_path / "out").iterdir())
    assert run("verify", *files).returncode == 0
    assert run("verify", "--seed", *files).returncode == 1
    assert run("verify", "--seed", "--boards", tmp_path / "mine.toml", *files).returncode == 0


def test_boards_commands(tmp_path: Path) -> None:
    """``boards`` list, show, new and check work; an invalid file is reported with the field."""
    assert run("boards", "list").stdout.count("sha256") == 3
    shown = run("boards", "show", "bosquet")
    assert "garden 4 back" in shown.stdout and "rewards 4 back" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "designed for this project" in shown.stderr
    document = json.loads(run("boards", "show", "reference", "--json").stdout)
    assert document["gardens"][0] == [["c2", "g2", "a3", "i3", "h4", "a5"]]
    assert run("boards", "new", "mine.toml", cwd=tmp_path).returncode == 0
    assert run("boards", "check", "mine.toml", cwd=tmp_path).returncode == 0
    assert "--force" in usage_error("boards", "new", "mine.toml", cwd=tmp_path)
    text = write_boards(shipped_boards("parterre")).replace('"d2"', '"d9"', 1)
    (tmp_path / "bad.toml").write_text(text)
    bad = run("boards", "check", "bad.toml", cwd=tmp_path)
    assert bad.returncode == 1
    assert bad.stderr.startswith("bad.toml: boards.gardens.1.front: “d9” is not a square")
    assert run("boards", "check", "parterre", cwd=tmp_path).returncode == 1, "a file, not a name"
    (tmp_path / "boar.toml").write_text(text.replace('"d9"', '"e4"'))
    assert "R34" in run("boards", "check", "boar.toml", cwd=tmp_path).stdout
    boar = ["simulate", "--edition", "imperial", "--expansions", "wild_boar", "--boards", "boar.toml"]
    assert "boards.gardens.1.front" in usage_error(*boar, cwd=tmp_path)


def test_perft_compares_with_the_file(tmp_path: Path) -> None:
    """Counts in the file are compared; a difference is shown with the counts for each turn."""
    source = Path(__file__).parent.parent / "perft" / "last-refill.json"
    done = run("perft", source)
    assert done.returncode == 0 and done.stdout.count("matches the file") == 2
    document = json.loads(source.read_bytes())
    document["perft"] = [document["perft"][0] + 1]
    (tmp_path / "wrong.json").write_text(json.dumps(document))
    wrong = run("perft", "wrong.json", cwd=tmp_path)
    assert wrong.returncode == 1 and "but the file says" in wrong.stdout and "  56@6-e5: 1" in wrong.stdout
    counts = json.loads(run("perft", source, "--depth", 1, "--json").stdout)
    assert counts[0]["count"] == document["perft"][0] - 1
    document["perft"] = "many"
    (tmp_path / "wrong.json").write_text(json.dumps(document))
    both = run("perft", "wrong.json", "none.json", source, "--depth", 1, cwd=tmp_path)
    assert both.returncode == 1 and "whole numbers" in both.stderr and "no such file" in both.stderr
    assert "depth 1" in both.stdout, "the other files are still counted"
    divided = json.loads(run("perft", source, "--depth", 1, "--divide", "--json").stdout)
    assert sum(divided[0]["divide"].values()) == divided[0]["count"]


def test_a_closed_pipe_is_no_error() -> None:
    """A closed pipe, as in ``sanssouci boards show | head -1``, is not an error."""
    command = " ".join(f"'{word}'" for word in COMMAND)
    done = subprocess.run(
        ["bash", "-c", f"{command} boards show | head -1"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("parterre") and "Traceback" not in done.stderr
