/** Lessons: a position to solve as a table that the table's own screen can show, verdicts, and what was solved. */

import type { Lesson, LessonEntry, TableView, LessonResult } from "../../net/types";
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

/** The table of a lesson: nobody else is there, one turn is to be played, and nothing but that can be done. */
export function tableOf(lesson: Lesson, called: string): TableView {
  const { game, options, names, edition, expansions, seats } = lesson;
  const own = game.seat ?? 0;
  return {
    seq: game.turn,
    table: lesson.lesson,
    stage: "playing",
    terms: {
      seats,
      edition,
      expansions,
      boards: { name: "", sha256: "" },
      clock: { pace: "none", amount: 0 },
      hints: false,
      visibility: "link",
      first: 0,
      stand_in: "",
    },
    commitment: null,
    origin: null,
    chairs: names.map((name, seat) => ({
      chair: seat,
      seat,
      sitter: seat === own ? "person" : "computer",
      name: seat === own ? called : name,
      player: null,
      colour: null,
      ready: true,
      away: false,
      conceded: false,
      votes: [],
    })),
    waiting: [own],
    since: 0,
    deadline: null,
    vote_from: null,
    agreed: [],
    taken_back: 0,
    you: { chair: own, seat: own, owner: false, may: ["play"] },
    setup: null,
    game,
    options,
    ending: null,
    rematch: null,
  };
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
