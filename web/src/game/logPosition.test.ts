import { describe, expect, test } from "vitest";

import { positionOf, turnAt } from "./logPosition";
import type { LogEntry } from "./eventLog";

/** As much of a telling as is needed here. */
const told = (seq: number, kind = "turn", undone = false) => ({ seq, kind, undone }) as unknown as LogEntry;

describe("looking back", () => {
  const entries = [told(3, "ready"), told(4), told(5, "vote"), told(6), told(7, "turn", true), told(9)];

  test("leads from a line of the log to the position after it", () => {
    expect([4, 6, 9].map((seq) => positionOf(entries, seq, 3))).toEqual([1, 2, 3]);
  });

  test("leads nowhere from what is no turn, or was taken back", () => {
    expect([3, 5, 7, 99].map((seq) => positionOf(entries, seq, 3))).toEqual([null, null, null, null]);
  });

  test("counts from the end, where the beginning is not told", () => {
    expect([4, 6, 9].map((seq) => positionOf(entries, seq, 30))).toEqual([28, 29, 30]);
    expect(turnAt(entries, 28, 30)).toBe(entries[1]);
    expect(turnAt(entries, 27, 30)).toBeUndefined();
  });

  test("knows the turn that led to a position", () => {
    expect([0, 1, 2, 3].map((turn) => turnAt(entries, turn, 3)?.seq)).toEqual([undefined, 4, 6, 9]);
  });
});
