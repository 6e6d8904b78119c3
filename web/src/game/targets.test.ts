import { expect, test } from "vitest";

import { begin, RAVENSBURGER, TO_MOVE } from "../../tests/fixtures";
import { isGardener, squareOf, type Space, type Square } from "./notation";
import type { Staging } from "./staging";
import { targetsOf } from "./targets";

test("there are no targets before anything is chosen or pointed at", () => {
  expect(targetsOf(begin(RAVENSBURGER.views[0]!)).size).toBe(0);
});

test("the targets of a space are the squares for its tile", () => {
  const staging = begin(RAVENSBURGER.views[0]!);
  for (const space of [0, 4, 9] as Space[]) {
    const tiles = staging.tilesOf(space);
    const shown = targetsOf(staging, { space });
    expect([...shown.keys()].sort()).toEqual(tiles.map(squareOf).sort());
    for (const tile of tiles) {
      expect(shown.get(squareOf(tile))!.kind).toBe(isGardener(tile) ? "gardener" : "structure");
    }
  }
});

test("once the tile is certain, all stops are targets, or those of the noble pointed at", () => {
  for (const view of TO_MOVE) {
    let staging = begin(view);
    while (staging.tile === null) {
      const kind = staging.need === "card" ? "card" : staging.need === "space" ? "space" : "square";
      staging = staging.choose({ kind, value: staging.choices(kind)[0] } as Parameters<Staging["choose"]>[0]);
    }
    if (staging.need === "boar")
      staging = staging.choose({ kind: "boar", value: staging.choices("boar")[0]! });
    const shown = targetsOf(staging);
    expect(
      [...shown].map(([square, target]) => [square, target.kind === "stop" ? target.points : -1]),
    ).toEqual([...staging.stops]);
    const [first] = staging.stops.keys();
    if (first !== undefined) {
      const column = first[0] as "a";
      expect([...targetsOf(staging, { noble: column }).keys()].every((square) => square[0] === column)).toBe(
        true,
      );
    }
  }
});

test("of the stops of each noble, those worth most are marked", () => {
  const stops = new Map<Square, number>([
    ["a1", 1],
    ["a3", 3],
    ["b2", 2],
    ["c4", 4],
    ["c5", 4],
  ]);
  const staging = { value: () => null, tile: "a3", need: "noble", stops } as unknown as Staging;
  const best = [...targetsOf(staging)].filter(([, target]) => target.kind === "stop" && target.best);
  expect(best.map(([square]) => square)).toEqual(["a3", "b2", "c4", "c5"]);
});
