/**
 * The tutorial: its chapters, the user's progress, and which tip fits the staged turn.
 *
 * Each chapter is a position of one real game. It suggests a turn, has one goal, and accepts every other legal turn.
 */

import { isFreeChoice } from "../../game/cards";
import { columnOf, isGardener, motifOf, type Turn } from "../../game/notation";
import { asArray, asObject } from "../../app/settings";
import { NO_NOBLE, type StepKind, type Staging, type TurnView } from "../../game/staging";
import type { TurnEntry } from "../../game/eventLog";

export const CHAPTERS = ["turn", "gardener", "free", "mission"] as const;
export type Chapter = (typeof CHAPTERS)[number];

/** The user's progress. */
export interface TutorialProgress {
  readonly done: readonly Chapter[];
  /** The chapter that was begun last, and its table. */
  readonly chapter: Chapter | null;
  readonly table: string | null;
}

/** What the guide speaks of: the step that comes next, a whole turn, one that misses the aim, or what was played. */
export type Topic = Exclude<StepKind, "boar"> | "ready" | "other" | "played" | "played_other";

export interface Tip {
  readonly topic: Topic;
  /** Whether the aim is reached; null while that is open. */
  readonly met: boolean | null;
  /** The rule that says more. */
  readonly rule: string;
}

/** The rule of a chapter, and the matters that have one of their own. */
const RULES: Readonly<Record<Chapter, Partial<Record<Topic, string>> & { readonly all: string }>> = {
  turn: { all: "R14", card: "R15", space: "R18", square: "R19", noble: "R21", other: "R20", played: "R22" },
  gardener: { all: "R19", noble: "R20", played: "R26" },
  free: { all: "R16", square: "R19", noble: "R20" },
  mission: { all: "R27", square: "R19" },
};

const TABLE = /^[0-9a-f]{16}$/;

/** What was kept; whatever is not right in it is left out. */
export function readProgress(value: unknown): TutorialProgress {
  const kept = asObject(value);
  const chapter = CHAPTERS.find((one) => one === kept["chapter"]) ?? null;
  const table = kept["table"];
  return {
    done: CHAPTERS.filter((one) => asArray(kept["done"]).includes(one)),
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
export function withBegun(progress: TutorialProgress, chapter: Chapter, table: string): TutorialProgress {
  return { ...progress, chapter, table };
}

/** The turn of the chapter was played. */
export function withFinished(progress: TutorialProgress, chapter: Chapter): TutorialProgress {
  return { ...progress, done: CHAPTERS.filter((one) => one === chapter || progress.done.includes(one)) };
}

/** The chapter that follows; null after the last one. */
export function nextChapter(chapter: Chapter): Chapter | null {
  return CHAPTERS[CHAPTERS.indexOf(chapter) + 1] ?? null;
}

/** Where to go on: at the chapter that was begun, else at the first that is not done; null when all are. */
export function chapterToResume({ done, chapter }: TutorialProgress): Chapter | null {
  if (chapter !== null && !done.includes(chapter)) return chapter;
  return CHAPTERS.find((one) => !done.includes(one)) ?? null;
}

/** What to say of the turn that is being staged. */
export function tipFor(chapter: Chapter, view: TurnView, staging: Staging): Tip {
  const met = meets(chapter, view, staging);
  const topic = met === false ? "other" : (staging.need ?? "ready");
  return tip(chapter, topic === "boar" ? "square" : topic, met);
}

/** What to say of the turn that was played. */
export function tipAfter(chapter: Chapter, view: TurnView, told: TurnEntry): Tip {
  const met = didMeet(chapter, view, told.turn, told.motif);
  return tip(chapter, met ? "played" : "played_other", met);
}

function tip(chapter: Chapter, topic: Topic, met: boolean | null): Tip {
  const rules = RULES[chapter];
  return { topic, met, rule: rules[topic] ?? rules.all };
}

/** Whether the staged turn does what the chapter is about; null while that is open. */
function meets(chapter: Chapter, view: TurnView, staging: Staging): boolean | null {
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
function didMeet(chapter: Chapter, view: TurnView, { card, gardener, noble }: Turn, tile: string): boolean {
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

function missionsOf({ game, you }: TurnView): readonly string[] {
  return game?.missions[you.seat ?? 0] ?? [];
}
