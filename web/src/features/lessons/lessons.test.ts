import { describe, expect, test } from "vitest";

import type { LessonEntry, LessonResult } from "../../net/types";
import { gradeOf, newPart, nextLesson, partsOf, readSolved } from "./lessons";

const entry = (lesson: string, expansions: LessonEntry["expansions"] = []): LessonEntry => ({
  lesson,
  theme: lesson.split("-")[0]!,
  title: `Title of ${lesson}`,
  look: "Look!",
  round: 7,
  seats: 2,
  edition: "imperial",
  expansions,
});
const ALL = ["ways-1", "ways-2", "end-1"].map((lesson) => entry(lesson));
const ids = (lessons: readonly (LessonEntry | null)[]) => lessons.map((one) => one?.lesson ?? null);

function verdict(turn: string | null, cost: number | null, solved: boolean): LessonResult {
  const expected = { turn: "a@0-a2", score: 80, margin: 4, share: 0.6, level: true };
  return {
    solved,
    cost,
    chosen: turn === null ? null : { ...expected, turn },
    hint: { turn: "a@0-a2", reasons: [], expected, others: [] },
  };
}

test("an answer is graded as best, as good, near or far", () => {
  expect(gradeOf(verdict("a@0-a2", 0, true))).toBe("best");
  expect(gradeOf(verdict("a@0-a2/a2", 0.4, true))).toBe("as_good");
  expect(gradeOf(verdict("b@0-a2", 2.9, false))).toBe("near");
  expect(gradeOf(verdict("b@0-a2", 3, false))).toBe("far");
});

describe("the next lesson", () => {
  const next = (solved: readonly string[], after: string | null) => nextLesson(ALL, new Set(solved), after);

  test("is the next unsolved one; after the last one, the first", () => {
    expect(ids([next([], null), next([], "ways-1"), next(["ways-2"], "ways-1"), next([], "end-1")])).toEqual([
      "ways-1",
      "ways-2",
      "end-1",
      "ways-1",
    ]);
  });

  test("is never the same one, and null when all are solved", () => {
    expect(next(["ways-1", "ways-2"], "end-1")).toBeNull();
    expect(next(["ways-1", "ways-2", "end-1"], null)).toBeNull();
    expect(ids([next(["gone-7"], "gone-7")])).toEqual(["ways-1"]);
  });
});

const EXPANDED = [
  ...ALL,
  entry("rewards-1", ["rewards"]),
  entry("end-2", ["rewards"]),
  entry("boar-1", ["wild_boar"]),
  entry("boar-2", ["rewards", "wild_boar"]),
];

test("lessons are grouped by expansions, then by theme", () => {
  expect(
    partsOf(EXPANDED).map(({ part, themes }) => [part, ...themes.map(({ lessons }) => ids(lessons))]),
  ).toEqual([
    ["base", ["ways-1", "ways-2"], ["end-1"]],
    ["rewards", ["rewards-1"], ["end-2"]],
    ["wild_boar", ["boar-1"]],
    ["both", ["boar-2"]],
  ]);
});

test("an expansion is new until a lesson with it is solved; the base game never is", () => {
  const introduced = (solved: readonly string[], at: number) =>
    newPart(EXPANDED, new Set(solved), EXPANDED[at]!);
  expect(introduced([], 0)).toBeNull();
  expect(introduced(["ways-1"], 3)).toBe("rewards");
  expect(introduced(["end-2"], 3)).toBeNull();
  expect(introduced(["end-2", "boar-1"], 6)).toBe("both");
});

test("stored solved lessons are validated", () => {
  expect([...readSolved(["ways-1", "ways-1", 7, null, "<b>", "end-12"])]).toEqual(["ways-1", "end-12"]);
  expect([...readSolved("ways-1")]).toEqual([]);
  expect(readSolved(Array.from({ length: 999 }, (_, index) => `a-${index % 100}`)).size).toBeLessThanOrEqual(
    100,
  );
});
