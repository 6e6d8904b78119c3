import { describe, expect, test } from "vitest";

import css from "../theme/tokens.css?raw";
import { COLOURS, colourFor, holderOf, colourTokens, type ColouredChair } from "./colours";

const CHAIRS: readonly ColouredChair[] = [
  { chair: 0, sitter: "person", name: "Anna", colour: "red" },
  { chair: 1, sitter: "computer", name: "Clara", colour: "blue" },
  { chair: 2, sitter: "open", name: "", colour: null },
];

describe("a colour", () => {
  test("of a person is nobody else's; a computer player gives its own away", () => {
    expect(holderOf("red", CHAIRS, null)).toBe("Anna");
    expect(holderOf("red", CHAIRS, 0)).toBeNull();
    expect(holderOf("blue", CHAIRS, 0)).toBeNull();
    expect(holderOf("teal", CHAIRS, 0)).toBeNull();
  });

  test("is as wished, where no person has it; else one that nobody has", () => {
    expect(colourFor("blue", CHAIRS)).toBe("blue");
    expect(colourFor("red", CHAIRS)).toBe("brown");
    expect(colourFor(null, CHAIRS)).toBe("brown");
  });

  test("goes with the chair to its seat", () => {
    const seated = [
      { seat: 1, colour: "teal" as const },
      { seat: 0, colour: "grey" as const },
      { seat: null, colour: null },
    ];
    expect(colourTokens(seated)).toEqual([
      ["--seat-1", "var(--seat-teal)"],
      ["--cloth-1", "var(--cloth-teal)"],
      ["--seat-0", "var(--seat-grey)"],
      ["--cloth-0", "var(--cloth-grey)"],
    ]);
  });

  test("is there as paint and as cloth, and the first four are those of the seats where none are chosen", () => {
    for (const colour of COLOURS) {
      expect(css).toMatch(new RegExp(`--seat-${colour}: light-dark`));
      expect(css).toMatch(new RegExp(`--cloth-${colour}: light-dark`));
      expect(css).toContain(`[data-colour="${colour}"]`);
    }
    COLOURS.slice(0, 4).forEach((colour, seat) => {
      expect(css).toContain(`--seat-${seat}: var(--seat-${colour});`);
      expect(css).toContain(`--cloth-${seat}: var(--cloth-${colour});`);
    });
  });
});
