"""Results files: one row per game and seat, written completely or not at all."""

import csv
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pexpect
import pytest
from pyarrow import parquet

from sanssouci.arena import ResultsFile, Series, Simulation, Summary
from sanssouci.arena.results_file import COLUMNS
from sanssouci.arena.signals import defer_interrupt
from sanssouci.arena.simulation import results_of
from sanssouci.cli.simulate import _play_all
from sanssouci.dealer import parse_seed, write_seed
from sanssouci.editions import load_edition, shipped_boards
from sanssouci.kernel import BOARD_FIELD, RESULT_FIELDS, WINNERS_FIELD, Chunk, Ints, precompile
from sanssouci.rules import IMPERIAL, PARTS, Variant

from ..cli.command import COMMAND, run, usage_error

ALL = Variant(3, IMPERIAL, rewards=True, wild_boar=True)
Row = dict[str, Any]


def simulation(variant: Variant, players: str = "random random random random") -> Simulation:
    names = tuple(players.split()[: variant.seats])
    return Simulation(variant, load_edition(variant.edition).boards, names, parse_seed("3"))


def expected_rows(series: Simulation, chunks: list[Chunk]) -> list[Row]:
    """The rows of some games, keyed by column name."""
    rows: list[Row] = []
    for chunk in chunks:
        for place, seat in np.ndindex(len(chunk.results), series.variant.seats):
            values = [int(value) for value in chunk.results[place, seat]]
            parts = dict(zip(PARTS, values, strict=False))
            boards = [None if board < 0 else board for board in values[BOARD_FIELD:]]
            row = {"game": chunk.first + place, "seed": write_seed(series.seed), "seat": seat + 1}
            row |= {"player": series.players[seat], "score": sum(parts.values()), **parts}
            row |= {"gardeners": values[6], "won": 1 / values[7] if values[7] else 0}
            row |= dict(zip(("board", "side", "reward_board", "reward_side"), boards, strict=True))
            rows.append(row)
    return rows


def read_csv(path: Path) -> list[Row]:
    """The rows of a CSV file, with numbers parsed and empty cells as None."""
    with path.open(newline="", encoding="utf-8") as file:
        rows: list[Row] = list(csv.DictReader(file, strict=True))
    for row in rows:
        assert tuple(row) == COLUMNS
        for name, text in row.items():
            if name == "won":
                row[name] = float(text)
            elif name not in ("seed", "player"):
                row[name] = int(text) if text else None
    return rows


def read_parquet(path: Path) -> list[Row]:
    table = parquet.read_table(path)
    assert tuple(table.column_names) == COLUMNS
    rows: list[Row] = table.to_pylist()
    return rows


READERS: dict[str, Callable[[Path], list[Row]]] = {".csv": read_csv, ".parquet": read_parquet}
kinds = pytest.mark.parametrize("kind", READERS)


def rows_equal(found: list[Row], expected: list[Row]) -> bool:
    """Whether rows are equal; the share of a victory has six digits."""
    close = all(abs(a["won"] - b["won"]) < 1e-6 for a, b in zip(found, expected, strict=True))
    return close and [row | {"won": 0} for row in found] == [row | {"won": 0} for row in expected]


@kinds
@pytest.mark.parametrize("variant", [Variant(2), Variant(4, rewards=True), ALL], ids=str)
def test_every_seat_of_every_game_has_a_row(tmp_path: Path, variant: Variant, kind: str) -> None:
    """R28, R29: the rows read back equal the results; a missing reward board is an empty cell."""
    series, path = simulation(variant, "greedy random random greedy"), tmp_path / f"results{kind}"
    file, chunks = ResultsFile(path, series), list(series.chunks(450))
    assert len(chunks) > 1
    for chunk in chunks:
        file.add(chunk)
        assert not path.exists(), "the file appears when it is complete"
    file.close()
    assert rows_equal(READERS[kind](path), expected_rows(series, chunks))
    assert list(tmp_path.iterdir()) == [path]


@kinds
def test_shared_victories_and_odd_names(tmp_path: Path, kind: str) -> None:
    """R28: a shared victory is stored as a fraction; player names may contain commas and quotes."""
    series = Simulation(ALL, shipped_boards("reference"), ("a,b", 'the "best"', "c d"), parse_seed("3"))
    results: Ints = np.zeros((1, 4, RESULT_FIELDS), np.int64)
    results[:, :3, WINNERS_FIELD] = 3
    results[:, 1, :2] = 7, -3
    chunk, path = Chunk(2**40, results), tmp_path / f"r{kind}"
    file = ResultsFile(path, series)
    file.add(chunk)
    file.close()
    found = READERS[kind](path)
    assert rows_equal(found, expected_rows(series, [chunk]))
    assert [row["player"] for row in found] == ["a,b", 'the "best"', "c d"]
    assert abs(found[0]["won"] - 1 / 3) < 1e-6 and found[0]["game"] == 2**40


@kinds
def test_a_discarded_file_leaves_nothing(tmp_path: Path, kind: str) -> None:
    """Discarding removes the temporary file and leaves an older file of the same name unchanged."""
    path = tmp_path / f"r{kind}"
    path.write_text("older")
    file = ResultsFile(path, simulation(ALL))
    for chunk in simulation(ALL).chunks(3):
        file.add(chunk)
    file.discard()
    assert list(tmp_path.iterdir()) == [path] and path.read_text() == "older"


@kinds
def test_simulate_writes_a_results_file(tmp_path: Path, kind: str) -> None:
    """``simulate --out`` writes the same file with any number of threads; only --force overwrites."""
    path = tmp_path / f"r{kind}"
    words = ["simulate", "--games", 300, "--seed", 3, "--players", "random,greedy", "--out", path]
    assert run(*words, "--threads", 2).returncode == 0
    series = simulation(Variant(2), "random greedy")
    first = READERS[kind](path)
    assert rows_equal(first, expected_rows(series, list(series.chunks(300))))
    assert "--force" in usage_error(*words) and READERS[kind](path) == first
    assert run(*words, "--threads", 1, "--force").returncode == 0 and READERS[kind](path) == first


@kinds
def test_results_are_the_same_with_records(tmp_path: Path, kind: str) -> None:
    """The results file is the same with ``--records``, where every game is played by the rules."""
    words = ["simulate", "--games", 5, "--seed", 3, "--seats", 2]
    assert run(*words, "--out", f"one{kind}", cwd=tmp_path).returncode == 0
    assert run(*words, "--out", f"two{kind}", "--records", "kept", cwd=tmp_path).returncode == 0
    assert READERS[kind](tmp_path / f"one{kind}") == READERS[kind](tmp_path / f"two{kind}")


def reset_sigint() -> None:
    """Restore the default handler: processes started in the background inherit an ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@kinds
def test_ctrl_c_leaves_complete_games_in_order(tmp_path: Path, kind: str) -> None:
    """Ctrl-C in a terminal exits with 130, and the file has exactly the games that were counted."""
    path = tmp_path / f"r{kind}"
    words = ["simulate", "--games", "50000000", "--seed", "3", "--seats", "2", "--out", str(path)]
    environment = os.environ | {"COLUMNS": "80", "LANG": "en_GB.UTF-8", "LC_ALL": "", "TERM": "xterm"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "sanssouci", *words],
        env=environment,
        encoding="utf-8",
        timeout=120,
        preexec_fn=reset_sigint,
    )
    try:
        child.expect(r"[1-9]\d*/50000000")
        child.sendintr()
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    reported = re.search(r"stopped after (\d+) of 50000000 games", str(child.before))
    assert child.exitstatus == 130 and reported is not None and "Traceback" not in str(child.before)
    found, games = READERS[kind](path), int(reported[1])
    assert [row["game"] for row in found] == [number for number in range(1, games + 1) for _ in "12"]
    series = simulation(Variant(2))
    assert rows_equal(found[:2_000], expected_rows(series, list(series.chunks(1_000))))
    last = expected_rows(series, [Chunk(games, results_of(series.play(games)))])
    assert rows_equal(found[-2:], last)
    assert list(tmp_path.iterdir()) == [path]


class _Interrupted(ResultsFile):
    """A results file that raises SIGINT before or after it writes a chunk (``late``), and on closing."""

    def __init__(self, path: Path, series: Simulation, late: bool) -> None:
        super().__init__(path, series)
        self.late = late

    def add(self, chunk: Chunk) -> None:
        if not self.late:
            signal.raise_signal(signal.SIGINT)
        super().add(chunk)
        if self.late:
            signal.raise_signal(signal.SIGINT)

    def close(self) -> None:
        signal.raise_signal(signal.SIGINT)
        super().close()


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Install Python's default SIGINT handler during a test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("late", [False, True])
@kinds
def test_ctrl_c_keeps_file_and_summary_consistent(tmp_path: Path, kind: str, late: bool) -> None:
    """Whenever Ctrl-C arrives, the file has exactly the games that the summary counted."""
    series, summary, path = simulation(Variant(2)), Summary(2), tmp_path / f"r{kind}"
    file = _Interrupted(path, series, late)
    with pytest.raises(KeyboardInterrupt):
        _play_all(Series(series, 20_000, Summary, results=True), None, 1, summary, file, None)
    with pytest.raises(KeyboardInterrupt), defer_interrupt():
        file.close()
    file.discard()  # as the command does: the file is complete already
    assert 0 < summary.games < 20_000 and len(READERS[kind](path)) == 2 * summary.games


@pytest.mark.usefixtures("ctrl_c")
def test_defer_interrupt_restores_the_handler() -> None:
    """A deferred Ctrl-C is raised once, not at all where it is ignored, and after any other error."""
    done = []
    with pytest.raises(KeyboardInterrupt), defer_interrupt():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        done.append("whole")
    with pytest.raises(OSError, match="full"), defer_interrupt():
        signal.raise_signal(signal.SIGINT)
        raise OSError("full")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with defer_interrupt():
        signal.raise_signal(signal.SIGINT)
        done.append("ignored")
    assert done == ["whole", "ignored"] and signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    """With --force, the target of a symbolic link is replaced and the link remains."""
    (tmp_path / "far").mkdir()
    (tmp_path / "r.csv").symlink_to(tmp_path / "far" / "real.csv")
    assert run("simulate", "--games", 2, "--out", "r.csv", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "r.csv").is_symlink() and len(read_csv(tmp_path / "far" / "real.csv")) == 4
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["real.csv"]


REFUSED = {
    "--out r.txt": "one of .csv, .parquet",
    "--out r": "one of .csv, .parquet",
    "--out nowhere/r.csv": "the folder nowhere does not exist",
    "--out r.csv --threads 0": "0 threads",
    "--out r.csv --threads -1": "-1 threads",
    "--out r.parquet --threads 100000": "1 to 1024",
    "--out r.parquet --games 0": "--games: 0",
    "--out r.csv --players nobody": "nobody",
    "--out r.csv --seats 5": "R1",
    "--out r.csv --seed lucky": "lucky",
    "--out r.csv --records . --force": "diary.txt",
    "--out diary.txt": "one of .csv, .parquet",
}


@pytest.mark.parametrize(("words", "reported"), REFUSED.items(), ids=REFUSED)
def test_refused_options_create_no_files(tmp_path: Path, words: str, reported: str) -> None:
    """Invalid options give one sentence and exit status 2, and create no files."""
    (tmp_path / "diary.txt").write_text("mine")
    assert reported in usage_error("simulate", *words.split(), cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


@kinds
def test_unwritable_paths_are_reported(tmp_path: Path, kind: str) -> None:
    """A read-only folder or a folder in place of the file is reported before any game is played."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    if os.access(folder, os.W_OK):  # root may write to any folder except those of the kernel
        folder = Path("/proc/self")
    assert f"{folder / 'r'}{kind} cannot be written" in usage_error("simulate", "--out", folder / f"r{kind}")
    (tmp_path / f"d{kind}").mkdir()
    reported = usage_error("simulate", "--out", f"d{kind}", "--force", cwd=tmp_path)
    assert "cannot be written" in reported


@kinds
def test_a_full_disk_leaves_nothing(tmp_path: Path, kind: str) -> None:
    """If the file cannot grow, the command reports it in one sentence and leaves no partial file."""
    precompile("series")  # its compilation cache exceeds the limit
    script = f'ulimit -f 40; exec "$@" simulate --games 100000 --seats 2 --out r{kind}'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"LANG": "en_GB.UTF-8", "LC_ALL": "", "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 2 and done.stdout == "" and f"r{kind} cannot be written" in done.stderr
    assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
