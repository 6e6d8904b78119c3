import { expect, test } from "vitest";

import { connected, type Garden } from "./garden";
import { hasMarkers, squareViews, keepUnchanged, type SquareView, type Target } from "./squareView";
import { COLUMNS, squareAt, type Square } from "./notation";

const DOORS = COLUMNS.map((column) => squareAt(column, 1));
const GARDEN: Garden = {
  printed: new Set([...DOORS, "c2", "f4"]),
  built: new Set<Square>([...DOORS, "c2", "c3", "f4"]),
  gardeners: new Set<Square>(["c3"]),
  nobles: new Map([["c", "c2"]]),
  boar: "e4",
  rewards: new Map([["e4", "+2"]]),
};

function view(square: Square, overlay = {}): SquareView {
  const all = squareViews(GARDEN, { connected: connected(GARDEN), ...overlay }).flat();
  return all.find((one) => one.square === square)!;
}

test("square views are six rows of nine, from the palace", () => {
  const rows = squareViews(GARDEN, { connected: new Set() });
  expect(rows.map((row) => row.length)).toEqual([9, 9, 9, 9, 9, 9]);
  expect([rows[0]![0]!.square, rows[5]![8]!.square]).toEqual(["a1", "i6"]);
});

test("square views contain the pieces on a square", () => {
  expect(view("c2")).toMatchObject({ ground: "structure", noble: true, connected: true });
  expect(view("c3")).toMatchObject({ ground: "gardener", noble: false });
  expect(view("e4")).toMatchObject({ ground: "free", boar: true, mark: "+2" });
  expect(view("f4")).toMatchObject({ ground: "structure", connected: false });
});

test("square views join every built neighbour, a gardener too, and the terrace (R20)", () => {
  expect(view("c2").joins).toBe("ns");
  expect(view("c3").joins).toBe("n");
  expect(view("a1").joins).toBe("ne");
  expect(view("f4").joins).toBe("");
  expect(view("e4").joins).toBe("");
});

test("square views contain the overlay", () => {
  const targets = new Map([["d2", { kind: "stop", points: 2, best: true }]]);
  const overlay = {
    targets,
    staged: new Set(["d2"]),
    laid: "d2",
    lit: new Map([["f4", 140]]),
    walking: "d",
    changed: new Set(["a1"]),
  };
  expect(view("d2", overlay)).toMatchObject({
    target: { kind: "stop", points: 2, best: true },
    staged: true,
  });
  expect(view("f4", overlay).lit).toBe(140);
  expect(view("d2", overlay)).toMatchObject({ laid: true, lit: null });
  expect(view("a1", overlay).changed).toBe(true);
});

test("a noble is drawn in front of a walk that passes it", () => {
  const overlay = { walk: ["c1", "c2"] };
  expect(view("c2", overlay)).toMatchObject({ noble: true, raised: true });
  expect(hasMarkers(view("c2", overlay))).toBe(true);
  expect(view("c1", overlay).raised).toBe(false);
  expect(view("c2", { staged: new Set(["c2"]) }).raised).toBe(true);
  expect(view("c2").raised).toBe(false);
});

test("a stop that the staged walk passes is not marked as best", () => {
  const stop = { kind: "stop", points: 2, best: true } as const;
  const targets = new Map<Square, Target>([
    ["c2", stop],
    ["c3", stop],
  ]);
  const overlay = { targets, walk: ["c2", "c3"], staged: new Set(["c3"]) };
  expect(view("c2", overlay).target).toEqual({ ...stop, best: false });
  expect(view("c3", overlay).target).toEqual(stop);
});

test("targets, staged and hinted squares have markers", () => {
  const targets = new Map([["d2", { kind: "boar" }]]);
  const lit = new Map([["f4", 0]]);
  const hint = new Map([["i6", { part: "reason", points: 0, reasons: "1" }]]);
  const overlay = {
    targets,
    lit,
    hint,
    staged: new Set(["b1"]),
    pointed: "e5",
    blocked: new Set(["g4"]),
  };
  for (const square of ["d2", "f4", "i6", "b1", "e5", "g4"] as const)
    expect(hasMarkers(view(square, overlay)), square).toBe(true);
  expect(hasMarkers(view("a1", { ...overlay, changed: new Set(["a1"]) }))).toBe(false);
});

test("unchanged squares keep their objects", () => {
  const overlay = () => ({
    connected: connected(GARDEN),
    targets: new Map([["d2" as Square, { kind: "boar" as const }]]),
  });
  const [before, again] = [squareViews(GARDEN, overlay()), squareViews(GARDEN, overlay())];
  expect(again[1]![3]).not.toBe(before[1]![3]);
  expect(keepUnchanged(before, again)).toEqual(before);
  expect(
    keepUnchanged(before, again)
      .flat()
      .every((one, index) => one === before.flat()[index]),
  ).toBe(true);
  expect(keepUnchanged([], again)).toEqual(again);
});

test("changed squares get new objects", () => {
  const before = squareViews(GARDEN, { connected: new Set() });
  const stop = (points: number) => new Map([["e2" as Square, { kind: "stop" as const, points, best: true }]]);
  const now = keepUnchanged(
    before,
    squareViews(GARDEN, { connected: new Set<Square>(["c2"]), targets: stop(2) }),
  );
  const changed = now.flat().filter((one, index) => one !== before.flat()[index]);
  expect(changed.map(({ square, connected, target }) => [square, connected, target])).toEqual([
    ["c2", true, null],
    ["e2", false, { kind: "stop", points: 2, best: true }],
  ]);
  const more = keepUnchanged(
    now,
    squareViews(GARDEN, { connected: new Set<Square>(["c2"]), targets: stop(3) }),
  );
  expect(more[1]![4]!.target).toEqual({ kind: "stop", points: 3, best: true });
});
