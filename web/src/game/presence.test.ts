import { expect, test } from "vitest";

import type { ChairView } from "../net/types";
import { awaitedOthers, isAbsent } from "./presence";

const chairs = [
  { sitter: "person", away: false, conceded: false },
  { sitter: "person", away: true, conceded: false },
  { sitter: "computer", away: false, conceded: false },
  { sitter: "person", away: false, conceded: false },
] as ChairView[];

test("only people without a stand-in can be absent", () => {
  const absent = [0, 1, 2, 3].filter((chair) => isAbsent({ chairs }, new Set([0]), chair));
  expect(absent).toEqual([3]);
  expect(isAbsent({ chairs }, null, 3)).toBe(false); // unknown
});

test("other people that the table waits for", () => {
  const view = { chairs, waiting: [0, 1, 2, 3], shuffling: false };
  expect(awaitedOthers(view, [0])).toEqual([3]);
  expect(awaitedOthers({ ...view, shuffling: true }, [0])).toEqual([]);
});
