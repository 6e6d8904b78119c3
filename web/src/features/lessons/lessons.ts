/** How good an answer is, which lessons were solved, and which comes next. */

import type { Expansion, LessonEntry, LessonResult } from "../../net/types";
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

/** The base game, an expansion, or both expansions. */
export type PartName = "base" | "both" | Expansion;

export interface Part {
  readonly part: PartName;
  readonly themes: readonly Theme[];
  readonly lessons: readonly LessonEntry[];
}

export function partOf({ expansions }: Pick<LessonEntry, "expansions">): PartName {
  const [first, second] = expansions;
  return second !== undefined ? "both" : (first ?? "base");
}

/** Lessons by part and theme, in their order of appearance. */
export function partsOf(lessons: readonly LessonEntry[]): readonly Part[] {
  return groupBy(lessons, partOf).map(([part, own]) => ({ part, lessons: own, themes: themesOf(own) }));
}

function themesOf(lessons: readonly LessonEntry[]): readonly Theme[] {
  return groupBy(lessons, ({ theme }) => theme).map(([theme, own]) => {
    const { title, look } = own[0]!;
    return { theme, title, look, lessons: own };
  });
}

function groupBy<Key>(
  lessons: readonly LessonEntry[],
  keyOf: (lesson: LessonEntry) => Key,
): [Key, LessonEntry[]][] {
  return [...new Set(lessons.map(keyOf))].map((key) => [key, lessons.filter((one) => keyOf(one) === key)]);
}

/** The expansions of a lesson if the reader has not solved a lesson with them yet, else null. */
export function newPart(
  lessons: readonly LessonEntry[],
  solved: ReadonlySet<string>,
  lesson: LessonEntry,
): PartName | null {
  const part = partOf(lesson);
  const known = lessons.some((one) => partOf(one) === part && solved.has(one.lesson));
  return part === "base" || known ? null : part;
}
