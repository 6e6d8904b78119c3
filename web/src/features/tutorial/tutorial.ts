/**
 * The guided first game: its chapters, how far somebody has come, and which sentence fits the turn that is staged.
 *
 * Every chapter is a position of one real game. It shows a turn, has one thing that is to be done, and lets every
 * other legal turn through.
 */

import type { TableView } from "../../net/types";
import { isFreeChoice } from "../../game/cards";
import { columnOf, isGardener, motifOf, type Turn } from "../../game/notation";
import { list, thing } from "../../app/settings";
import { NO_NOBLE, type Kind, type Staging } from "../../game/staging";
import type { TurnTelling } from "../../game/eventLog";

export const CHAPTERS = ["turn", "gardener", "free", "mission"] as const;
export type Chapter = (typeof CHAPTERS)[number];

/** How far somebody has come. */
export interface Progress {
  readonly done: readonly Chapter[];
  /** The chapter that was begun last, and its table. */
  readonly chapter: Chapter | null;
  readonly table: string | null;
}

/** What the guide speaks of: the step that comes next, a whole turn, one that misses the aim, or what was played. */
export type Matter = Exclude<Kind, "boar"> | "ready" | "other" | "played" | "played_other";

export interface Lesson {
  readonly matter: Matter;
  /** Whether the aim is reached; null while that is open. */
  readonly met: boolean | null;
  /** The rule that says more. */
  readonly rule: string;
}

/** The rule of a chapter, and the matters that have one of their own. */
const RULES: Readonly<Record<Chapter, Partial<Record<Matter, string>> & { readonly all: string }>> = {
  turn: { all: "R14", card: "R15", space: "R18", square: "R19", noble: "R21", other: "R20", played: "R22" },
  gardener: { all: "R19", noble: "R20", played: "R26" },
  free: { all: "R16", square: "R19", noble: "R20" },
  mission: { all: "R27", square: "R19" },
};

const TABLE = /^[0-9a-f]{16}$/;

/** What was kept; whatever is not right in it is left out. */
export function readProgress(value: unknown): Progress {
  const kept = thing(value);
  const chapter = CHAPTERS.find((one) => one === kept["chapter"]) ?? null;
  const table = kept["table"];
  return {
    done: CHAPTERS.filter((one) => list(kept["done"]).includes(one)),
    chapter,
    table: chapter !== null && typeof table === "string" && TABLE.test(table) ? table : null,
  };
}

/** The chapter that is played at a table, by what was kept. */
export function chapterAt(kept: unknown, table: string): Chapter | null {
  const progress = readProgress(kept);
  return progress.table === table ? progress.chapter : null;
}

/** A chapter is begun at a table. */
export function begun(progress: Progress, chapter: Chapter, table: string): Progress {
  return { ...progress, chapter, table };
}

/** The turn of the chapter was played. */
export function finished(progress: Progress, chapter: Chapter): Progress {
  return { ...progress, done: CHAPTERS.filter((one) => one === chapter || progress.done.includes(one)) };
}

/** The chapter that follows; null after the last one. */
export function following(chapter: Chapter): Chapter | null {
  return CHAPTERS[CHAPTERS.indexOf(chapter) + 1] ?? null;
}

/** Where to go on: at the chapter that was begun, else at the first that is not done; null when all are. */
export function nextOf({ done, chapter }: Progress): Chapter | null {
  if (chapter !== null && !done.includes(chapter)) return chapter;
  return CHAPTERS.find((one) => !done.includes(one)) ?? null;
}

/** What to say of the turn that is being staged. */
export function lessonOf(chapter: Chapter, view: TableView, staging: Staging): Lesson {
  const met = meets(chapter, view, staging);
  const matter = met === false ? "other" : (staging.need ?? "ready");
  return lesson(chapter, matter === "boar" ? "square" : matter, met);
}

/** What to say of the turn that was played. */
export function lessonAfter(chapter: Chapter, view: TableView, told: TurnTelling): Lesson {
  const met = didMeet(chapter, view, told.turn, told.motif);
  return lesson(chapter, met ? "played" : "played_other", met);
}

function lesson(chapter: Chapter, matter: Matter, met: boolean | null): Lesson {
  const rules = RULES[chapter];
  return { matter, met, rule: rules[matter] ?? rules.all };
}

/** Whether the staged turn does what the chapter is about; null while that is open. */
function meets(chapter: Chapter, view: TableView, staging: Staging): boolean | null {
  const noble = staging.value("noble");
  switch (chapter) {
    case "gardener":
      return staging.tile === null ? null : isGardener(staging.tile);
    case "free": {
      const card = staging.value("card");
      return card === null ? null : isFreeChoice(view.game?.display ?? [], card);
    }
    case "turn":
      return noble === null ? null : noble !== NO_NOBLE;
    case "mission":
      return noble === null ? null : noble !== NO_NOBLE && missionsOf(view).includes(columnOf(noble));
  }
}

/** The same of a turn that was played with a tile. */
function didMeet(chapter: Chapter, view: TableView, { card, gardener, noble }: Turn, tile: string): boolean {
  switch (chapter) {
    case "gardener":
      return gardener;
    case "free":
      return motifOf(card) !== null && motifOf(card) !== tile;
    case "turn":
      return noble !== null;
    case "mission":
      return noble !== null && missionsOf(view).includes(columnOf(noble));
  }
}

function missionsOf({ game, you }: TableView): readonly string[] {
  return game?.missions[you.seat ?? 0] ?? [];
}
