"""Datasets: many games as Parquet files, every position and turn of them (docs/dataset.md).

::

    FOLDER/manifest.json            settings, numbers of rows, SHA-256 of every file
    FOLDER/games/part-00000.parquet one row for each game
    FOLDER/turns/part-00000.parquet one row for each turn, with the position before it

A part is written as a whole, then listed in ``manifest.json``. A run that was stopped goes on after the last
part. A part whose files are missing or damaged is played and written again.
"""

import io
import json
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from sanssouci.arena import Executor, Series, Simulation, Summary
from sanssouci.arena.signals import Interruption
from sanssouci.dealer import write_seed
from sanssouci.kernel import (
    BOARD_FIELD,
    GARDENER_FIELD,
    NO_BOARD,
    PART_FIELDS,
    RESULT_FIELDS,
    SIZE,
    WINNERS_FIELD,
    Batch,
    Ints,
    encode,
    game_keys,
    policies,
)
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.dealing import BOARD_FIELDS, load_deal
from sanssouci.kernel.games import play_games
from sanssouci.kernel.greedy import WEIGHTS
from sanssouci.kernel.layout import FIRST, HEADER, MOST_SEATS, POINTS, SEAT_SIZE
from sanssouci.kernel.turns import BOAR_GOES, BOAR_LEAVES, NO_BOAR, NO_NOBLE, NOBLE_GOES
from sanssouci.locale import UserError, os_error_reason
from sanssouci.notation import parse_record, parse_turn, write_atomic

from .compiled import GAME, field_starts, fill_outputs
from .observation import ActionMask, Observation
from .spec import ACTIONS, observation_size

FORMAT = "sanssouci-dataset/1"
MANIFEST = "manifest.json"
CARD = "DATASET.md"
GAMES, TURNS = "games", "turns"
PART = 1000
MOST_PART = 10_000
"""Games in a file: by default, and at most, since a part is built in memory."""

Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """Games that have been played, before they are tables."""

    first: int
    batch: Batch
    """The games before their first turn."""
    codes: Ints
    """``[games, turns]``: the turns."""
    results: Ints
    """``[games, 4, RESULT_FIELDS]``"""


def write_dataset(
    folder: Path,
    simulation: Simulation,
    games: int,
    part: int = PART,
    executor: Executor | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Play games 1 to ``games`` and write them; returns the manifest.

    Parts that are complete and match their checksums are kept; ``UserError`` if the folder holds
    something else. Games that the kernel cannot play by itself are played by ``executor``, or in this
    process.
    """
    manifest = _open(folder, simulation, games, part)
    for number, first in enumerate(range(1, games + 1, part)):
        count = min(part, games + 1 - first)
        names = [f"{table}/part-{number:05}.parquet" for table in (GAMES, TURNS)]
        if not all(_is_intact(folder, manifest, name) for name in names):
            played = _play(simulation, first, count, executor)
            tables = (_game_columns(simulation, played), _turn_columns(played))
            for name, columns in zip(names, tables, strict=True):
                manifest["files"][name] = _write_table(folder, name, columns)
            _write_manifest(folder, manifest)
        progress(count)
    manifest["complete"] = True
    _write_manifest(folder, manifest)
    _write(folder / CARD, _card(manifest).encode())
    return manifest


def _open(folder: Path, simulation: Simulation, games: int, part: int) -> dict[str, Any]:
    """The manifest of the folder, or a new one; the folder is made if necessary."""
    if not 1 <= part <= MOST_PART:
        raise UserError("dataset.bad_part", part=part, most=MOST_PART)
    _parquet()
    wanted = _settings(simulation) | {"games_per_file": part}
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        other = [name for name, value in wanted.items() if manifest["settings"].get(name) != value]
        # More games can follow, but a last part that is not full would have to be written again.
        if games != manifest["games"] and (games < manifest["games"] or manifest["games"] % part):
            other.append("games")
        if other:
            raise UserError("dataset.other", path=folder, names=", ".join(other))
        _make_folders(folder)
        return manifest | {"games": games, "complete": False}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UserError("dataset.not_empty", path=folder)
    except OSError as error:
        raise UserError("cli.unwritable", path=folder, reason=os_error_reason(error)) from None
    _make_folders(folder)
    manifest = {"format": FORMAT, "settings": wanted, "games": games, "complete": False, "files": {}}
    _write_manifest(folder, manifest)
    return manifest


def _make_folders(folder: Path) -> None:
    try:
        for table in (GAMES, TURNS):
            (folder / table).mkdir(exist_ok=True)
    except OSError as error:
        raise UserError("cli.unwritable", path=folder, reason=os_error_reason(error)) from None


def _settings(simulation: Simulation) -> dict[str, Any]:
    variant = simulation.variant
    return {
        "seats": variant.seats,
        "edition": variant.edition,
        "expansions": [*variant.expansions],
        "boards": simulation.boards.name,
        "boards_sha256": simulation.boards.sha256,
        "players": [*simulation.players],
        "seed": write_seed(simulation.seed),
    }


def _play(simulation: Simulation, first: int, count: int, executor: Executor | None) -> Part:
    if simulation.in_kernel:
        setup = simulation.setup
        codes = np.zeros((count, 72), np.int64)
        results = np.zeros((count, MOST_SEATS, RESULT_FIELDS), np.int64)
        seats = policies(simulation.players, setup.variant.seats)
        with ignore_overflow():
            keys = game_keys(simulation.seed, first, count)
            play_games(keys, setup.header, setup.gardens, setup.rewards, seats, results, codes, WEIGHTS)
        return Part(first, Batch.deal(setup, simulation.seed, count, first), codes[:, : setup.turns], results)
    series = Series(simulation, first + count - 1, Summary, results=True, records=True)
    numbers = range(first, first + count)
    if executor is None:
        portions = [series.run([(number, 1)]) for number in numbers]
    else:
        items: Iterable[tuple[int, int]] = ((number, 1) for number in numbers)
        with Interruption() as stop, closing(executor.run(series, items, stop)) as running:
            portions = sorted(running, key=lambda portion: portion.first)
    for portion in portions:
        if portion.fault is not None:
            raise portion.fault
    return _part(
        simulation,
        first,
        [record for portion in portions for _, record in portion.records],
        np.concatenate([chunk.results for portion in portions for chunk in portion.chunks]),
    )


def _part(simulation: Simulation, first: int, records: list[bytes], results: Ints) -> Part:
    """Games from their records."""
    parsed = [parse_record(record) for record in records]
    states, decks, tiles = (
        np.stack(arrays) for arrays in zip(*(load_deal(r.deal) for r in parsed), strict=True)
    )
    codes = np.array([[encode(parse_turn(text)) for text in record.turns] for record in parsed], np.int64)
    boards = np.ascontiguousarray(results[:, :, BOARD_FIELD : BOARD_FIELD + BOARD_FIELDS])
    return Part(first, Batch(simulation.setup, states, decks, tiles, boards), codes, results)


def _game_columns(simulation: Simulation, part: Part) -> Columns:
    seats, results = simulation.variant.seats, part.results[:, : simulation.variant.seats]
    at = [HEADER + SEAT_SIZE * seat + FIRST for seat in range(seats)]
    missions = part.batch.states[:, [place + number for place in at for number in (0, 1)]]
    boards = {
        name: [None if NO_BOARD in row else row for row in results[:, :, BOARD_FIELD + field].tolist()]
        for field, name in enumerate(("garden_boards", "garden_sides", "reward_boards", "reward_sides"))
    }
    return {
        "game": np.arange(part.first, part.first + len(results)),
        "scores": results[:, :, :PART_FIELDS].sum(2).tolist(),
        "parts": results[:, :, :PART_FIELDS].reshape(len(results), -1).tolist(),
        "gardeners": results[:, :, GARDENER_FIELD].tolist(),
        "won": np.where(
            results[:, :, WINNERS_FIELD] > 0, 1 / np.maximum(results[:, :, WINNERS_FIELD], 1), 0.0
        ).tolist(),
        "missions": missions.tolist(),
        **boards,
    }


def _turn_columns(part: Part) -> Columns:
    """Replays the games in step; a row for each turn, game after game."""
    batch, codes = part.batch, part.codes
    games, turns = codes.shape
    seats = batch.setup.variant.seats
    states = np.empty((games, turns, SIZE), np.int64)
    legal, index = np.empty((games, turns), np.int64), np.empty((games, turns), np.int64)
    for turn in range(turns):
        states[:, turn] = batch.states
        found = batch.legal_turns()
        counts = np.diff(found.starts)
        chosen = np.flatnonzero(found.turns == np.repeat(codes[:, turn], counts))
        legal[:, turn], index[:, turn] = counts, chosen - found.starts[:-1]
        batch.step(codes[:, turn])
    number = np.arange(turns)
    refill = np.full((games, turns), -1)
    refill[:, :-1] = batch.tiles[:, 10 : 9 + turns]
    drawn = np.full((games, turns), -1)
    early = number < 16 * seats
    drawn[:, early] = batch.decks[:, (18 * (number % seats) + 2 + number // seats)[early]]
    points = [
        states[:, :, HEADER + SEAT_SIZE * seat + POINTS :][:, :, :PART_FIELDS].sum(2) for seat in range(seats)
    ]
    code = codes.ravel()
    boar, noble = code >> 16 & 63, code >> 22 & 63
    return {
        "game": np.repeat(np.arange(part.first, part.first + games), turns),
        "turn": np.tile(number, games),
        "round": np.tile(1 + number // seats, games),
        "seat": np.tile(number % seats, games),
        "legal_turns": legal.ravel(),
        "index": index.ravel(),
        "code": code,
        "card": code & 31,
        "space": code >> 5 & 15,
        "square": code >> 9 & 63,
        "gardener": (code >> 15 & 1).astype(bool),
        "boar": np.ma.masked_where(boar == NO_BOAR, np.where(boar == BOAR_LEAVES, -1, boar - BOAR_GOES)),
        "noble": np.ma.masked_where(noble == NO_NOBLE, noble - NOBLE_GOES),
        "refill": np.ma.masked_equal(refill.ravel(), -1),
        "draw": np.ma.masked_equal(drawn.ravel(), -1),
        "points": np.stack(points, 2).reshape(-1, seats).tolist(),
        "state": states.reshape(-1, SIZE),
    }


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise UserError("cli.no_parquet") from None
    return pyarrow, parquet


def schema(table: str) -> Any:
    """The Arrow schema of a table."""
    arrow, _ = _parquet()
    small, short = arrow.int8(), arrow.int16()
    kinds = {
        GAMES: {
            "game": arrow.int64(),
            "scores": arrow.list_(short),
            "parts": arrow.list_(short),
            "gardeners": arrow.list_(small),
            "won": arrow.list_(arrow.float64()),
            "missions": arrow.list_(small),
            **{
                name: arrow.list_(small)
                for name in ("garden_boards", "garden_sides", "reward_boards", "reward_sides")
            },
        },
        TURNS: {
            "game": arrow.int64(),
            **dict.fromkeys(("turn", "round", "seat"), small),
            **dict.fromkeys(("legal_turns", "index"), short),
            "code": arrow.int32(),
            **dict.fromkeys(("card", "space", "square"), small),
            "gardener": arrow.bool_(),
            **dict.fromkeys(("boar", "noble", "refill", "draw"), small),
            "points": arrow.list_(short),
            "state": arrow.list_(arrow.int64(), SIZE),
        },
    }
    return arrow.schema([*kinds[table].items()])


def _write_table(folder: Path, name: str, columns: Columns) -> dict[str, Any]:
    """Write a file as a whole; returns its entry in the manifest."""
    arrow, parquet = _parquet()
    fields = schema(name.partition("/")[0])
    arrays = [_array(arrow, columns[field.name], field.type) for field in fields]
    data = io.BytesIO()
    parquet.write_table(arrow.Table.from_arrays(arrays, schema=fields), data, compression="zstd")
    _write(folder / name, data.getvalue())
    return {"rows": len(columns["game"]), "bytes": data.tell(), "sha256": sha256(data.getvalue()).hexdigest()}


def _array(arrow: Any, values: Any, kind: Any) -> Any:
    if isinstance(values, np.ma.MaskedArray):
        return arrow.array(values.data, kind, mask=np.ma.getmaskarray(values))
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return arrow.FixedSizeListArray.from_arrays(arrow.array(values.ravel()), values.shape[1])
    return arrow.array(values, kind)


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    _write(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n")


def _card(manifest: dict[str, Any]) -> str:
    """The dataset card, in English like the names of the columns."""
    files = "\n".join(
        f"| `{name}` | {entry['rows']} | {entry['bytes']} | `{entry['sha256']}` |"
        for name, entry in manifest["files"].items()
    )
    settings = "\n".join(
        f"| {name} | {', '.join(value) if isinstance(value, list) else value} |"
        for name, value in manifest["settings"].items()
    )
    return f"""# Games of Sanssouci

{manifest["games"]} games of computer players, written by `sanssouci dataset`. The columns are described in
docs/dataset.md of the project.

| Setting | Value |
|---|---|
{settings}

- **Contents.** Games of the players named above. There are no games of people and no personal data.
- **Hidden information.** `state` holds the hands and missions of all seats. Give models of players the
  view or the observation of a seat instead.
- **Rights.** Whoever publishes the files chooses their licence; the project claims no rights in them.
- **Bias.** All positions come from the named players; positions that they do not reach are missing.
- **Splits.** Split by `game`, not by row: positions of one game are alike.

| File | Rows | Bytes | SHA-256 |
|---|---|---|---|
{files}
"""


def _write(path: Path, data: bytes) -> None:
    try:
        write_atomic(path, data)
    except OSError as error:
        raise UserError("cli.unwritable", path=path, reason=os_error_reason(error)) from None


def read_manifest(folder: Path) -> dict[str, Any]:
    """``manifest.json``; ``UserError`` if the folder holds no dataset."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] == FORMAT and manifest["settings"] and isinstance(manifest["files"], dict):
            return dict(manifest)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise UserError("dataset.none", path=folder)


def check_dataset(folder: Path) -> dict[str, Any]:
    """Compare all files with their checksums; returns the manifest, or ``UserError``."""
    manifest = read_manifest(folder)
    for name in manifest["files"]:
        if not _is_intact(folder, manifest, name):
            raise UserError("dataset.damaged", path=folder / name)
    return manifest


def _is_intact(folder: Path, manifest: dict[str, Any], name: str) -> bool:
    """Whether a file is listed and matches its checksum."""
    try:
        found = sha256((folder / name).read_bytes()).hexdigest()
    except OSError:
        return False
    return name in manifest["files"] and bool(found == manifest["files"][name]["sha256"])


def read_table(folder: Path, table: str) -> Any:
    """A table as ``pyarrow.Table``: ``GAMES`` or ``TURNS``."""
    arrow, parquet = _parquet()
    names = [name for name in read_manifest(folder)["files"] if name.startswith(table + "/")]
    return arrow.concat_tables([parquet.read_table(folder / name) for name in sorted(names)])


def states_of(turns: Any) -> Ints:
    """``[N, SIZE]``: the positions of a table of turns, in the layout of ``kernel.layout``."""
    chunks = turns["state"].chunks
    return np.concatenate([chunk.flatten().to_numpy().reshape(-1, SIZE) for chunk in chunks])


def observations_of(states: Ints) -> tuple[Observation, ActionMask]:
    """``[N, size]``, ``[N, 194]``: what the seat to move observes before it plays a card, and the mask."""
    seats, moving = int(states[0, 0]), states[:, 1] % states[:, 0]
    observations = np.zeros((len(states), observation_size(seats)), np.uint8)
    masks = np.zeros((len(states), ACTIONS), np.int8)
    for seat in range(seats):
        rows = np.flatnonzero(moving == seat)
        if len(rows):
            seen, legal = np.empty_like(observations[rows]), np.empty_like(masks[rows])
            games = np.pad(states[rows], ((0, 0), (0, GAME - SIZE)))  # nothing has been chosen yet
            fill_outputs(games, seat, field_starts(seats), False, seen, legal)
            observations[rows], masks[rows] = seen, legal
    return observations, masks
