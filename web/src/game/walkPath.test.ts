import { expect, it } from "vitest";

import { walkPath } from "./walkPath";

it("a walk from the terrace starts above its first square and ends with an arrow", () => {
  expect(walkPath({ from: null, walk: ["a1", "a2"] })).toEqual({
    line: "M50 -40L50 50L50 72",
    head: "M50 106L28 72L72 72Z",
  });
});

it("a walk from a square follows its turns", () => {
  expect(walkPath({ from: "b1", walk: ["c1", "c2", "b2"] })).toEqual({
    line: "M150 50L250 50L250 150L228 150",
    head: "M194 150L228 128L228 172Z",
  });
});

it("an empty walk has no drawing", () => {
  expect(walkPath({ from: "b1", walk: [] })).toBeNull();
});
