import { describe, expect, it } from "vitest";

import { TO_MOVE, TURNS } from "../../tests/fixtures";
import {
  after,
  before,
  connected,
  gardenOf,
  lightRun,
  neighbours,
  newlyConnected,
  reach,
  rowOfNoble,
  walk,
  type Garden,
  completed,
} from "./garden";
import { asTurn, COLUMNS, columnOf, squareAt, SQUARES, type Square } from "./notation";

/** A garden with row 1 and some squares; a `g` behind one makes it a gardener. */
function garden(built: string, nobles: string = "", boar: Square | null = null): Garden {
  const names = built.split(" ").filter(Boolean);
  const row1 = COLUMNS.map((column) => squareAt(column, 1));
  return gardenOf({
    printed: row1,
    built: [...row1, ...names.map((name) => name.slice(0, 2))],
    gardeners: names.filter((name) => name.endsWith("g")).map((name) => name.slice(0, 2)),
    nobles: nobles.split(" ").filter(Boolean),
    boar,
  });
}

it("neighbours share an edge, and the relation is symmetric", () => {
  expect(neighbours("e4")).toEqual(["e5", "d4", "f4", "e3"]);
  expect(neighbours("a1")).toEqual(["a2", "b1"]);
  expect(neighbours("i6")).toEqual(["h6", "i5"]);
  for (const square of SQUARES) {
    for (const next of neighbours(square)) expect(neighbours(next)).toContain(square);
  }
});

describe("a garden of a real game", () => {
  it.each(TURNS.map((played) => [played.turn, played] as const))(
    "after %s is that of the server",
    (_, played) => {
      const later = after(gardenOf(played.before), asTurn(played.turn));
      expect(later).toEqual(gardenOf(played.after));
      expect([...connected(later)].sort()).toEqual([...played.connected].sort());
    },
  );

  it.each(TURNS.map((played) => [played.turn, played] as const))(
    "can be restored as it was before %s",
    (_, played) => {
      const turn = asTurn(played.turn);
      const [was, is] = [gardenOf(played.before), gardenOf(played.after)];
      const from = turn.noble === null ? null : (was.nobles.get(columnOf(turn.noble)) ?? null);
      const shown = before(is, turn, from);
      expect({ ...shown, nobles: [...shown.nobles].sort() }).toEqual({
        ...was,
        nobles: [...was.nobles].sort(),
      });
    },
  );

  it("is not changed by a preview", () => {
    const before = gardenOf(TURNS[0]!.before);
    const original = structuredClone(before);
    after(before, asTurn(TURNS[0]!.turn));
    expect(before).toEqual(original);
  });

  it("R20: has a walk over built squares to every stop that the server offers", () => {
    let walks = 0;
    for (const view of TO_MOVE) {
      const own = gardenOf(view.game!.gardens[view.you.seat!]!);
      for (const [tile, stops] of Object.entries(view.options!.stops)) {
        const laid = after(own, { square: tile.slice(0, 2) as Square, gardener: tile.endsWith("g") });
        for (const stop of Object.keys(stops) as Square[]) {
          checkWalk(laid, stop);
          walks += 1;
        }
      }
    }
    expect(walks).toBeGreaterThan(1000);
  });
});

function checkWalk(laid: Garden, stop: Square): void {
  const column = columnOf(stop);
  const steps = walk(laid, column, stop);
  const start = laid.nobles.get(column);
  expect(steps?.at(-1)).toBe(stop);
  let at = start;
  for (const step of steps ?? []) {
    expect(laid.built.has(step)).toBe(true);
    if (at === undefined) expect(step).toBe(squareAt(column, 1));
    else expect(neighbours(at)).toContain(step);
    at = step;
  }
}

describe("a walk", () => {
  it("R20: leads a topiary noble past a gardener on e3 to d3 in five steps", () => {
    expect(walk(garden("e2 e3g d3"), "d", "d3")).toEqual(["d1", "e1", "e2", "e3", "d3"]);
  });

  it("starts next to the square of the noble", () => {
    expect(walk(garden("d2 d3", "d2"), "d", "d3")).toEqual(["d3"]);
    expect(rowOfNoble(garden("d2", "d2"), "d")).toBe(2);
    expect(rowOfNoble(garden("d2"), "d")).toBe(0);
  });

  it("is the shortest one", () => {
    expect(walk(garden("a2 a3 a4 b2 b3 b4 c4 c3 c2"), "a", "a4")).toHaveLength(4);
  });

  it("does not lead to unconnected or free squares, or to its own square", () => {
    expect(walk(garden("i6"), "i", "i6")).toBeNull();
    expect(walk(garden(""), "i", "i2")).toBeNull();
    expect(walk(garden("i2", "i2"), "i", "i2")).toBeNull();
  });
});

describe("a preview", () => {
  it("has the newly connected squares", () => {
    const before = garden("c3 c4 d4 h5");
    const later = after(before, { square: "c2", gardener: true });
    expect([...newlyConnected(before, later)].sort()).toEqual(["c2", "c3", "c4", "d4"]);
    expect(newlyConnected(before, after(before, { square: "h6", gardener: false })).size).toBe(0);
  });

  it("moves the boar only if its goal is known", () => {
    const before = garden("", "", "e4");
    expect(after(before, { square: "e4", gardener: false }).boar).toBe("e4");
    expect(after(before, { square: "e4", gardener: false, boar: "e5" }).boar).toBe("e5");
    expect(after(before, { square: "e4", gardener: false, boar: "x" }).boar).toBeNull();
  });

  it("applies several changes in order", () => {
    const later = after(
      garden(""),
      { square: "a2", gardener: false, noble: "a2" },
      { square: "a3", gardener: false, noble: "a3" },
    );
    expect([...later.nobles]).toEqual([["a", "a3"]]);
  });
});

describe("light", () => {
  it("runs along the path from the connected part", () => {
    const was = garden("c3 c4 d4 g5");
    const run = lightRun(was, after(was, { square: "c2", gardener: false }));
    expect(run).toEqual(
      new Map([
        ["c2", 0],
        ["c3", 1],
        ["c4", 2],
        ["d4", 3],
      ]),
    );
  });

  it("does not run if nothing is newly connected", () => {
    const was = garden("c3");
    expect(lightRun(was, after(was, { square: "c4", gardener: true })).size).toBe(0);
  });

  it("reaches all squares that are newly connected, in real games too", () => {
    for (const played of TURNS) {
      const [was, is] = [gardenOf(played.before), gardenOf(played.after)];
      expect(new Set(lightRun(was, is).keys())).toEqual(newlyConnected(was, is));
    }
  });
});

it("a noble can reach the stops that the server offers, and gardeners", () => {
  for (const view of TO_MOVE) {
    const { options, game, you } = view;
    for (const [tile, stops] of Object.entries(options!.stops)) {
      const was = gardenOf(game!.gardens[you.seat!]!);
      const laid = after(was, { square: tile.slice(0, 2) as Square, gardener: tile.endsWith("g") });
      const reached = COLUMNS.flatMap((column) => reach(laid, column));
      const open = reached.filter((square) => !laid.gardeners.has(square));
      expect(open.sort()).toEqual(Object.keys(stops).sort());
    }
  }
});

it("a row from the second on or a column is complete when its last square is built (R25, R26)", () => {
  const garden = (...built: readonly string[]) => ({ built: new Set(built) }) as unknown as Garden;
  const row = (number: number, columns = "abcdefghi") => [...columns].map((column) => `${column}${number}`);
  const column = [1, 2, 3, 4, 5, 6].map((number) => `c${number}`);
  expect([...completed(garden(...row(4, "abcdefgh")), garden(...row(4)))]).toEqual(row(4));
  expect([...completed(garden(...row(1, "abcdefgh")), garden(...row(1)))]).toEqual([]);
  expect([...completed(garden(...column.slice(1)), garden(...column))]).toEqual(column);
  expect([...completed(garden(...row(4)), garden(...row(4), "a2"))]).toEqual([]);
});
