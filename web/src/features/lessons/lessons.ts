/** How good an answer is, which lessons were solved, and which comes next. */

import type { LessonEntry, LessonResult } from "../../net/types";
import { asArray } from "../../app/settings";

/** Points that a turn may cost which is not bad. */
const NEAR = 3;
const ID = /^[a-z]{1,20}-[0-9]{1,2}$/;
/** More than there will ever be. */
const MOST = 200;

/** How good an answer is, for the words that are said of it. */
export type Grade = "best" | "as_good" | "near" | "far";

export function gradeOf({ solved, chosen, cost, hint }: LessonResult): Grade {
  if (solved) return chosen?.turn === hint.turn ? "best" : "as_good";
  return (cost ?? 0) < NEAR ? "near" : "far";
}

/** The lessons that were solved, from what a browser has kept. */
export function readSolved(kept: unknown): ReadonlySet<string> {
  return new Set(
    asArray(kept)
      .filter((id): id is string => typeof id === "string" && ID.test(id))
      .slice(0, MOST),
  );
}

/** The lesson that comes after one: the next that is not solved yet, from the first again after the last. */
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

/** Lessons by their themes, in the order in which these come up. */
export function themesOf(lessons: readonly LessonEntry[]): readonly Theme[] {
  return [...new Set(lessons.map(({ theme }) => theme))].map((theme) => {
    const own = lessons.filter((lesson) => lesson.theme === theme);
    return { theme, title: own[0]!.title, look: own[0]!.look, lessons: own };
  });
}
