import { describe, expect, it } from "vitest";

import { walkPath } from "./walkPath";

describe("a walk that is drawn", () => {
  it("begins on the terrace above its first square, and its arrow points down to the stop", () => {
    expect(walkPath({ from: null, walk: ["a1", "a2"] })).toEqual({
      line: "M50 -40L50 50L50 90",
      head: "M50 124L28 90L72 90Z",
    });
  });

  it("begins where the noble stood, and turns with the way", () => {
    expect(walkPath({ from: "b1", walk: ["c1", "c2", "b2"] })).toEqual({
      line: "M150 50L250 50L250 150L210 150",
      head: "M176 150L210 128L210 172Z",
    });
  });

  it("is nothing where nobody walks", () => {
    expect(walkPath({ from: "b1", walk: [] })).toBeNull();
  });
});
