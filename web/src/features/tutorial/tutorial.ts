/**
 * The tutorial: its chapters, the user's progress, and which tip fits the staged turn.
 *
 * Each chapter is a position of one real game. It suggests a turn, has one goal, and accepts every other legal turn.
 */

import { isFreeChoice } from "../../game/cards";
import { columnOf, isGardener, motifOf, rowOf, type Card, type Turn } from "../../game/notation";
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
  /** All tables of the tutorial, newest last. They are not listed among the games that the user has played. */
  readonly tables: readonly string[];
}

/**
 * What a tip is about: the next step, a card other than the suggested one, a tile with which the goal cannot be met, a
 * complete turn, a turn that misses the goal, or the played turn, perhaps with a noble in the last row.
 */
export type Topic =
  | Exclude<StepKind, "boar">
  | "other_card"
  | "stuck"
  | "ready"
  | "other"
  | "played"
  | "played_last"
  | "played_other";

export interface Tip {
  readonly topic: Topic;
  /** Whether the goal is met; null while that is open. */
  readonly met: boolean | null;
  /** The rule that says more. */
  readonly rule: string;
}

/** The rule of each chapter, and of topics that have their own. */
const RULES: Readonly<Record<Chapter, Partial<Record<Topic, string>> & { readonly all: string }>> = {
  turn: { all: "R14", card: "R15", space: "R18", square: "R19", noble: "R21", other: "R20", played: "R22" },
  gardener: { all: "R19", noble: "R20", played: "R26" },
  free: { all: "R16", square: "R19", noble: "R20" },
  mission: { all: "R27", square: "R19" },
};

const TABLE = /^[0-9a-f]{16}$/;
/** How many tables of the tutorial are remembered. */
const MOST_TABLES = 100;
const LAST_ROW = 6;

/** The stored progress without its invalid values. */
export function readProgress(value: unknown): TutorialProgress {
  const stored = asObject(value);
  const chapter = CHAPTERS.find((one) => one === stored["chapter"]) ?? null;
  const isTable = (one: unknown): one is string => typeof one === "string" && TABLE.test(one);
  const { table } = stored;
  return {
    done: CHAPTERS.filter((one) => asArray(stored["done"]).includes(one)),
    chapter,
    table: chapter !== null && isTable(table) ? table : null,
    tables: asArray(stored["tables"]).filter(isTable),
  };
}

/** The chapter that is played at a table, according to the stored progress. */
export function chapterAt(stored: unknown, table: string): Chapter | null {
  const progress = readProgress(stored);
  return progress.table === table ? progress.chapter : null;
}

/** The progress after a chapter was started at a table. */
export function withBegun(progress: TutorialProgress, chapter: Chapter, table: string): TutorialProgress {
  return { ...progress, chapter, table, tables: [...progress.tables, table].slice(-MOST_TABLES) };
}

/** The progress after the turn of a chapter was played. */
export function withFinished(progress: TutorialProgress, chapter: Chapter): TutorialProgress {
  return { ...progress, done: CHAPTERS.filter((one) => one === chapter || progress.done.includes(one)) };
}

/** The chapter that follows; null after the last one. */
export function nextChapter(chapter: Chapter): Chapter | null {
  return CHAPTERS[CHAPTERS.indexOf(chapter) + 1] ?? null;
}

/** The chapter to continue with: the one that was started, else the first one that is not done; null if all are. */
export function chapterToResume({ done, chapter }: TutorialProgress): Chapter | null {
  if (chapter !== null && !done.includes(chapter)) return chapter;
  return CHAPTERS.find((one) => !done.includes(one)) ?? null;
}

/** The tip for the turn that is being staged, in which the chapter suggests a card. */
export function tipFor(chapter: Chapter, view: TurnView, staging: Staging, suggested: Card): Tip {
  const met = satisfiesGoal(chapter, view, staging);
  if (chapter === "mission" && isStuck(view, staging)) return tip(chapter, "stuck", met);
  const card = staging.value("card");
  const topic = met === false ? "other" : (staging.need ?? "ready");
  if (topic === "space" && card !== suggested) return tip(chapter, "other_card", met);
  return tip(chapter, topic === "boar" ? "square" : topic, met);
}

/** The tip after the turn was played. */
export function tipAfter(chapter: Chapter, view: TurnView, entry: TurnEntry): Tip {
  const met = satisfiedGoal(chapter, view, entry.turn, entry.motif);
  const { noble } = entry.turn;
  const last = chapter === "mission" && noble !== null && rowOf(noble) === LAST_ROW;
  return tip(chapter, met ? (last ? "played_last" : "played") : "played_other", met);
}

function tip(chapter: Chapter, topic: Topic, met: boolean | null): Tip {
  const rules = RULES[chapter];
  return { topic, met, rule: rules[topic] ?? rules.all };
}

/** Whether the staged turn meets the goal of the chapter; null while that is open. */
function satisfiesGoal(chapter: Chapter, view: TurnView, staging: Staging): boolean | null {
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

/** Whether no noble of a mission can walk, now that the tile is certain. */
function isStuck(view: TurnView, staging: Staging): boolean {
  const stops = [...staging.stops.keys()];
  return staging.tile !== null && !stops.some((square) => missionsOf(view).includes(columnOf(square)));
}

/** Whether a played turn, with the motif of its tile, met the goal. */
function satisfiedGoal(
  chapter: Chapter,
  view: TurnView,
  { card, gardener, noble }: Turn,
  tile: string,
): boolean {
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
