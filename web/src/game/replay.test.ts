import { expect, it } from "vitest";

import { STEPS } from "../../tests/fixtures";
import { gardenOf } from "./garden";
import { columnOf } from "./notation";
import { Replay } from "./replay";

const replay = new Replay(STEPS);

it("a replay has a position before the first turn and after each", () => {
  expect(replay.last).toBe(36);
  expect(replay.turns.map(({ seq }) => seq)).toEqual(Array.from({ length: 36 }, (_, index) => index + 1));
  expect([-3, 12, 99].map((turn) => replay.clampTurn(turn))).toEqual([0, 12, 36]);
});

it("a replay shows a seat its own hand and missions, but not those of others", () => {
  for (let turn = 0; turn < replay.last; turn++)
    for (const seat of [0, 1]) {
      const seen = replay.viewFrom(turn, seat);
      expect(seen.hand).toEqual(STEPS.steps[turn]!.hands[seat]);
      expect(seen.missions[seat]).toEqual(STEPS.steps[turn]!.game.missions[seat]);
      expect(seen.missions[1 - seat]).toBeNull();
    }
});

it("a replay shows all missions at the end", () => {
  expect(replay.viewFrom(36, 0).missions).toEqual(STEPS.steps[36]!.game.missions);
});

it("a replay has only the entries up to its position", () => {
  expect(replay.entriesUntil(0)).toEqual([]);
  expect(replay.entriesUntil(7).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it("a replay animates every turn from the garden before it to the one after it", () => {
  expect(replay.animation(0)).toBeNull();
  for (let turn = 1; turn <= replay.last; turn++) {
    const shown = replay.animation(turn)!;
    const seat = (turn - 1) % 2;
    expect(shown.seat).toBe(seat);
    expect(shown.before).toEqual(gardenOf(replay.game(turn - 1).gardens[seat]!));
    expect(shown.after).toEqual(gardenOf(replay.game(turn).gardens[seat]!));
    expect(shown.motif).toBe(STEPS.events[turn - 1]!.tile);
  }
});

it("a replay knows where each noble came from", () => {
  for (const { turn, nobleFrom, seat, seq } of replay.turns) {
    if (turn.noble === null) continue;
    const before = gardenOf(replay.game(seq - 1).gardens[seat ?? 0]!);
    expect(nobleFrom).toBe(before.nobles.get(columnOf(turn.noble)) ?? "terrace");
  }
});
