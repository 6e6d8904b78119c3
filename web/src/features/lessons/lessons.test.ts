import { describe, expect, test } from "vitest";

import type { LessonEntry, LessonResult } from "../../net/types";
import { nextLesson, gradeOf, readSolved, themesOf } from "./lessons";

const entry = (lesson: string): LessonEntry => ({
  lesson,
  theme: lesson.split("-")[0]!,
  title: `Title of ${lesson}`,
  look: "Look!",
  round: 7,
  seats: 2,
  edition: "imperial",
  expansions: ["wild_boar"],
});
const ALL = ["ways-1", "ways-2", "end-1"].map(entry);
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

test("lessons are grouped by theme", () => {
  expect(themesOf(ALL).map(({ theme, lessons }) => [theme, ...ids(lessons)])).toEqual([
    ["ways", "ways-1", "ways-2"],
    ["end", "end-1"],
  ]);
});

test("stored solved lessons are validated", () => {
  expect([...readSolved(["ways-1", "ways-1", 7, null, "<b>", "end-12"])]).toEqual(["ways-1", "end-12"]);
  expect([...readSolved("ways-1")]).toEqual([]);
  expect(readSolved(Array.from({ length: 999 }, (_, index) => `a-${index % 100}`)).size).toBeLessThanOrEqual(
    100,
  );
});
