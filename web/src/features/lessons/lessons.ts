/** How good an answer is, which lessons were solved, and which comes next. */

import type { LessonEntry, LessonResult } from "../../net/types";
import { asArray } from "../../app/settings";

/** An answer that costs fewer points than this is near the best. */
const NEAR = 3;
const ID = /^[a-z]{1,20}-[0-9]{1,2}$/;
/** How many stored lessons are read; more than there will ever be. */
const MOST_LESSONS = 200;

/** How good an answer is; each grade has its own text. */
export type Grade = "best" | "as_good" | "near" | "far";

export function gradeOf({ solved, chosen, cost, hint }: LessonResult): Grade {
  if (solved) return chosen?.turn === hint.turn ? "best" : "as_good";
  return (cost ?? 0) < NEAR ? "near" : "far";
}

/** The solved lessons from the browser's storage. */
export function readSolved(stored: unknown): ReadonlySet<string> {
  return new Set(
    asArray(stored)
      .filter((id): id is string => typeof id === "string" && ID.test(id))
      .slice(0, MOST_LESSONS),
  );
}

/** The next lesson after one that is not solved yet; after the last one, it starts again with the first. */
export function nextLesson(
  lessons: readonly LessonEntry[],
  solved: ReadonlySet<string>,
  after: string | null,
): LessonEntry | null {
  const at = lessons.findIndex(({ lesson }) => lesson === after) + 1;
  const round = [...lessons.slice(at), ...lessons.slice(0, at)];
  return round.find(({ lesson }) => lesson !== after && !solved.has(lesson)) ?? null;
}

export interface Theme {
  readonly theme: string;
  readonly title: string;
  readonly look: string;
  readonly lessons: readonly LessonEntry[];
}

/** Lessons by theme, in their order of appearance. */
export function themesOf(lessons: readonly LessonEntry[]): readonly Theme[] {
  return [...new Set(lessons.map(({ theme }) => theme))].map((theme) => {
    const own = lessons.filter((lesson) => lesson.theme === theme);
    return { theme, title: own[0]!.title, look: own[0]!.look, lessons: own };
  });
}
