import { expect, test } from "vitest";

import { cuesOf } from "./sounds";

test("a tile knocks when it arrives", () => {
  const tile = { kind: "tile", space: 0, motif: "a", by: "a2", to: "a2", gardener: false } as const;
  expect(cuesOf(tile, 240)).toEqual([{ sound: "knock", after: 240 }]);
});

test("a noble makes a sound at each step", () => {
  const noble = { kind: "noble", column: "c", from: null, walk: ["c1", "c2", "d2"] } as const;
  expect(cuesOf(noble, 300)).toEqual([100, 200, 300].map((after) => ({ sound: "step", after })));
});

test("a boar makes two steps; light and points are silent", () => {
  expect(cuesOf({ kind: "boar", from: "e4", to: null }, 200)).toHaveLength(2);
  expect(cuesOf({ kind: "light", steps: new Map([["a1", 0]]) }, 200)).toEqual([]);
  expect(cuesOf({ kind: "points", made: new Map([["a1", 2]]) }, 200)).toEqual([]);
});
