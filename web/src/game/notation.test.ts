import { describe, expect, it } from "vitest";

import { legalTurns, TO_MOVE } from "../../tests/fixtures";
import {
  asSpace,
  asSquare,
  asTile,
  CARDS,
  isGardener,
  kindOf,
  NotationError,
  ownSquare,
  parseTurn,
  rowOfSpace,
  SPACES,
  SQUARES,
  squareOf,
  writeTurn,
} from "./notation";

describe("squares, cards and spaces", () => {
  it("are listed in their order", () => {
    expect(SQUARES).toHaveLength(54);
    expect([SQUARES[0], SQUARES[9], SQUARES[53]]).toEqual(["a1", "a2", "i6"]);
    expect(CARDS.join(" ")).toBe("a b c d e f g h i 23 24 25 26 34 35 36 45 46 56 *");
    expect(["f", "46", "*"].map((card) => kindOf(card as "f"))).toEqual(["motif", "colour", "free"]);
  });

  it("R7, R18: the space of a tile decides the row, its motif the column", () => {
    expect(SPACES.map(rowOfSpace)).toEqual([2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    expect(ownSquare("h", 4)).toBe("h4");
  });

  it("are validated", () => {
    for (const wrong of ["a0", "a7", "j3", "", "e44"]) expect(() => asSquare(wrong)).toThrow(NotationError);
    for (const wrong of [-1, 10, 0.5]) expect(() => asSpace(wrong)).toThrow(NotationError);
  });
});

it("a tile is its square, with a g for a gardener", () => {
  expect(squareOf(asTile("g3g"))).toBe("g3");
  expect(isGardener(asTile("g3g"))).toBe(true);
  expect(isGardener(asTile("g3"))).toBe(false);
});

describe("a turn", () => {
  it("is parsed as in docs/notation.md", () => {
    expect(parseTurn("36@2-g3/g3")).toEqual({
      card: "36",
      space: 2,
      square: "g3",
      gardener: false,
      boar: null,
      noble: "g3",
    });
    expect(parseTurn("e@4-e4~d4")).toMatchObject({ card: "e", square: "e4", boar: "d4", noble: null });
    expect(parseTurn("*@1-b2g~x/b1")).toMatchObject({ card: "*", gardener: true, boar: "x", noble: "b1" });
  });

  it("of a real game is written as it was parsed", () => {
    const all = TO_MOVE.flatMap((view) => (view.options ? [...legalTurns(view.options)] : []));
    expect(all.length).toBeGreaterThan(1000);
    for (const text of all) {
      const turn = parseTurn(text);
      expect(turn && writeTurn(turn)).toBe(text);
    }
  });

  it.each([
    "",
    "a@0",
    "j@0-a2",
    "33@0-a2",
    "a@10-a2",
    "a@0-a1",
    "a@0-a2/",
    "a@0-a2~",
    "a@0-a2/a1~b2",
    " a@0-a2",
  ])("is not %j", (text) => {
    expect(parseTurn(text)).toBeNull();
  });
});
