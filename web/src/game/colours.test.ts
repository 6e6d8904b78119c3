import { expect, test } from "vitest";

import css from "../theme/tokens.css?raw";
import { COLOURS, colourFor, holderOf, colourTokens, type ColouredChair } from "./colours";

const CHAIRS: readonly ColouredChair[] = [
  { chair: 0, sitter: "person", name: "Anna", colour: "red" },
  { chair: 1, sitter: "computer", name: "Clara", colour: "blue" },
  { chair: 2, sitter: "open", name: "", colour: null },
];

test("a person keeps a colour; a computer player gives it up", () => {
  expect(holderOf("red", CHAIRS, null)).toBe("Anna");
  expect(holderOf("red", CHAIRS, 0)).toBeNull();
  expect(holderOf("blue", CHAIRS, 0)).toBeNull();
  expect(holderOf("teal", CHAIRS, 0)).toBeNull();
});

test("a new player gets the preferred colour unless a person has it, else a free one", () => {
  expect(colourFor("blue", CHAIRS)).toBe("blue");
  expect(colourFor("red", CHAIRS)).toBe("brown");
  expect(colourFor(null, CHAIRS)).toBe("brown");
});

test("a seat has the colour of its chair", () => {
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

test("every colour has its tokens, and the first four are the defaults of the seats", () => {
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
