import { expect, test } from "vitest";

import { boarPoints, markPoints, neverBelowZero } from "./points";

test.each([
  ["+1", 1, 0],
  ["+2", 2, 0],
  ["+3", 3, 0],
  ["g3", 0, 3],
  ["-2", -2, -2],
  ["-3", -3, -3],
] as const)("R30-R32: the mark %s", (mark, structure, gardener) => {
  expect(markPoints(mark, false)).toBe(structure);
  expect(markPoints(mark, true)).toBe(gardener);
});

test("R32: a loss takes no more than there is", () => {
  expect([-3, -3, -2, 2].map((points, score) => neverBelowZero(points, score))).toEqual([-0, -1, -2, 2]);
});

test("R35, R36: the boar", () => {
  expect(boarPoints(false, null)).toBe(0);
  expect(boarPoints(true, "e5")).toBe(1);
  expect(boarPoints(true, "x")).toBe(4);
});
