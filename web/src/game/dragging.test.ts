import { beforeEach, describe, expect, test } from "vitest";

import { begin, RAVENSBURGER, TO_MOVE } from "../../tests/fixtures";
import { Dragging, dropSteps, dropTargets, isForeignColumn, type Piece } from "./dragging";
import { columnOf, type Space } from "./notation";

const TILE: Piece = { kind: "tile", space: 4 as Space };

describe("the gesture", () => {
  let happened: string[];
  let hold: (() => void) | null;
  let dragging: Dragging;
  beforeEach(() => {
    happened = [];
    hold = null;
    dragging = new Dragging(
      {
        start: () => happened.push("start"),
        move: ({ x }) => happened.push(`move ${x}`),
        drop: (_, { x }) => happened.push(`drop ${x}`),
        end: () => happened.push("end"),
      },
      (_, act) => {
        hold = act;
        return () => (hold = null);
      },
    );
  });

  test("of a mouse begins after some pixels; a click is none", () => {
    dragging.press(TILE, { x: 0, y: 0 }, false);
    dragging.move({ x: 3, y: 3 });
    dragging.release({ x: 3, y: 3 });
    expect(happened).toEqual([]);
    dragging.press(TILE, { x: 0, y: 0 }, false);
    dragging.move({ x: 9, y: 0 });
    dragging.move({ x: 20, y: 0 });
    expect(dragging.active).toBe(true);
    dragging.release({ x: 21, y: 0 });
    expect(happened).toEqual(["start", "move 20", "drop 21", "end"]);
  });

  test("of a finger begins after holding still; moving before that scrolls", () => {
    dragging.press(TILE, { x: 0, y: 0 }, true);
    dragging.move({ x: 0, y: 30 });
    expect(hold).toBe(null);
    dragging.release({ x: 0, y: 40 });
    expect(happened).toEqual([]);
    dragging.press(TILE, { x: 0, y: 0 }, true);
    hold!();
    dragging.move({ x: 5, y: 5 });
    dragging.release({ x: 6, y: 5 });
    expect(happened).toEqual(["start", "move 5", "drop 6", "end"]);
  });

  test("is cancelled without a drop", () => {
    dragging.press(TILE, { x: 0, y: 0 }, false);
    dragging.move({ x: 9, y: 0 });
    dragging.cancel();
    dragging.release({ x: 30, y: 0 });
    expect(happened).toEqual(["start", "end"]);
  });
});

test("a tile can be dropped where its space allows, also if another tile was chosen before", () => {
  for (const view of TO_MOVE) {
    const empty = begin(view);
    for (const space of empty.choices("space")) {
      const piece: Piece = { kind: "tile", space };
      const other = empty.choices("space").find((one) => one !== space);
      const stagings = other === undefined ? [empty] : [empty, empty.choose({ kind: "space", value: other })];
      for (const staging of stagings) {
        if (!staging.can({ kind: "space", value: space })) continue;
        const targets = dropTargets(staging, piece);
        expect(targets.size).toBeGreaterThan(0);
        for (const square of targets.keys()) {
          const [first, second] = dropSteps(staging, piece, square);
          const held = staging.choose(first!);
          expect(held.can(second!), `${space} ${square}`).toBe(true);
        }
      }
    }
  }
});

test("a noble can be dropped at its stops, once the tile is certain", () => {
  const empty = begin(RAVENSBURGER.views[0]!);
  expect(dropTargets(empty, { kind: "noble", column: "e" }).size).toBe(0);
  expect(isForeignColumn({ kind: "noble", column: "e" }, "d2")).toBe(true);
  let found = 0;
  for (const view of TO_MOVE) {
    const staging = begin(view);
    const [space] = staging.choices("space");
    if (space === undefined) continue;
    const laid = staging.choose({ kind: "space", value: space });
    const tiled = laid.tile ? laid : laid.choose({ kind: "square", value: laid.choices("square")[0]! });
    if (tiled.need === "boar") continue;
    for (const [square] of tiled.stops) {
      const piece: Piece = { kind: "noble", column: columnOf(square) };
      expect(dropTargets(tiled, piece).has(square)).toBe(true);
      expect(tiled.can(dropSteps(tiled, piece, square)[0]!)).toBe(true);
      expect(isForeignColumn(piece, square)).toBe(false);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(0);
});
