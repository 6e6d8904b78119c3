import { describe, expect, test } from "vitest";
import css from "./tokens.css?raw";

/** Contrast of text and of shapes against their background (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = 4.5;
const SHAPE = 3;

const papers = ["paper", "paper-high", "paper-low"];
const grounds = ["lawn", "lawn-high", "parterre", "gravel"];
const seats = ["red", "blue", "brown", "violet", "teal", "grey"];
const rows = [1, 2, 3, 4, 5, 6];

const pairs: [string, string, number][] = [
  ...[...papers, ...grounds].map((on): [string, string, number] => ["ink", on, TEXT]),
  ...papers.map((on): [string, string, number] => ["ink-soft", on, TEXT]),
  ...["good", "bad", "act"].flatMap((of) => papers.map((on): [string, string, number] => [of, on, TEXT])),
  ["act-ink", "act", TEXT],
  ["gold-ink", "gold", TEXT],
  ["hint-ink", "hint", TEXT],
  ["hint", "paper-high", TEXT],
  ...grounds.map((on): [string, string, number] => ["hint", on, SHAPE]),
  ...seats.flatMap((seat): [string, string, number][] => [
    [`seat-${seat}`, "paper", TEXT],
    [`seat-${seat}`, "paper-high", TEXT],
    ["seat-ink", `seat-${seat}`, TEXT],
    ["cloth-ink", `cloth-${seat}`, TEXT],
    [`cloth-${seat}`, "cloth-rim", SHAPE],
  ]),
  ...rows.map((row): [string, string, number] => [`row-${row}-line`, `row-${row}`, SHAPE]),
  ...[...papers, ...grounds].map((on): [string, string, number] => ["gold-line", on, SHAPE]),
  ...grounds.map((on): [string, string, number] => ["hedge", on, SHAPE]),
  ...papers.map((on): [string, string, number] => ["rule", on, SHAPE]),
];

/** The tokens of one edition in the light or dark theme. */
function tokens(edition: string, night: boolean): Record<string, string> {
  const blocks = css.matchAll(/([^{}]+)\{([^{}]*)\}/g);
  const found: Record<string, string> = {};
  for (const [, selector = "", body = ""] of blocks) {
    if (!selector.includes(":root") && !selector.includes(`="${edition}"`)) continue;
    for (const [, name = "", day = "", dark] of body.matchAll(
      /--([\w-]+): (?:light-dark\()?(#\w{6})(?:, (#\w{6}))?/g,
    )) {
      found[name] = night ? (dark ?? day) : day;
    }
  }
  return found;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(["ravensburger", "imperial"])("%s", (edition) => {
  test.each([
    ["light", false],
    ["dark", true],
  ])("every pair has enough contrast in the %s theme", (_, night) => {
    const colour = tokens(edition, night);
    const short = pairs
      .map(([of, on, least]) => ({
        pair: `${of} on ${on}`,
        ratio: contrast(colour[of] ?? "", colour[on] ?? ""),
        least,
      }))
      .filter(({ ratio, least }) => !(ratio >= least));
    expect(short).toEqual([]);
  });
});

test("black and white are 21 to 1", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});
