/**
 * Boards that are being entered: the printed squares of each garden side, the marks of each reward side, colour pairs.
 *
 * A draft is immutable, so that every change can be undone. The server decides whether it is complete.
 */
import { asArray, asObject } from "../../app/settings";
import type { Garden } from "../../game/garden";
import {
  COLOUR_CARDS,
  COLUMNS,
  isSquare,
  squareAt,
  type ColourCard,
  type Mark,
  type Square,
} from "../../game/notation";
import type { Boards, DraftBody, BoardsProblem } from "../../net/types";
import { MARKS, REWARD_SQUARES } from "../scoreSheet/scoreSheet";

export type Marks = Readonly<Partial<Record<Square, Mark>>>;
/** Boards with one or two sides each. */
type Sides<Side> = readonly (readonly Side[])[];

export interface BoardsDraft {
  readonly name: string;
  /** Null for the usual pairs. */
  readonly pairs: readonly ColourCard[] | null;
  readonly gardens: Sides<readonly Square[]>;
  /** Null for the usual reward boards. */
  readonly rewards: Sides<Marks> | null;
}

/** A draft in the browser's storage, with its boards file if it is complete. */
export interface StoredBoards {
  readonly draft: BoardsDraft;
  readonly file: string | null;
}

/** One side of a board. */
export interface Place {
  readonly kind: "gardens" | "rewards";
  readonly board: number;
  readonly side: number;
}

/** Why a tap does nothing, with its rule. */
export interface Objection {
  readonly why: "row_1" | "no_mark_here";
  readonly rule: string;
}

const BOARDS = 4;
const NAMES = ["front", "back"] as const;
const ROW_1 = COLUMNS.map((column) => squareAt(column, 1));
const LONGEST_NAME = 60;
/** How many sets are stored. */
export const MOST_SETS = 30;

const boardsWith = <Side>(sides: readonly Side[]): Sides<Side> => Array.from({ length: BOARDS }, () => sides);

export function emptyDraft(name: string): BoardsDraft {
  return { name, pairs: null, gardens: boardsWith([[], []]), rewards: null };
}

/** `My box`, or `My box 2` if that is taken. */
export function freeName(name: string, taken: readonly string[]): string {
  let [free, number] = [name, 2];
  while (taken.includes(free)) free = `${name} ${number++}`;
  return free;
}

/** A draft with the content of a set. */
export function draftOf({ name, pairs, gardens, rewards }: Boards): BoardsDraft {
  return {
    name,
    pairs: readPairs(pairs),
    gardens: gardens.map(readGarden),
    rewards: rewards.map(readReward),
  };
}

// Sides

/** All sides of a draft, gardens first. */
export function placesOf(draft: BoardsDraft): readonly Place[] {
  return (["gardens", "rewards"] as const).flatMap((kind) =>
    (draft[kind] ?? []).flatMap((sides, board) => sides.map((_, side) => ({ kind, board, side }))),
  );
}

/** The name of a side in messages of the server: `boards.gardens.2.back`. */
export function fieldOf({ kind, board, side }: Place): string {
  return `boards.${kind}.${board + 1}.${NAMES[side] ?? ""}`;
}

export function isSamePlace(one: Place, other: Place): boolean {
  return fieldOf(one) === fieldOf(other);
}

/** What is wrong with a field; empty if nothing is. */
export function problemAt(problems: readonly BoardsProblem[], field: string): string {
  return problems.find((problem) => problem.field === field)?.sentence ?? "";
}

/** Problems that belong to no part of the editor. */
export function otherProblems(
  draft: BoardsDraft,
  problems: readonly BoardsProblem[],
): readonly BoardsProblem[] {
  const shown = new Set(["boards.name", "boards.pairs", ...placesOf(draft).map(fieldOf)]);
  return problems.filter(({ field }) => !shown.has(field));
}

export function printedAt(draft: BoardsDraft, { board, side }: Place): readonly Square[] {
  return draft.gardens[board]?.[side] ?? [];
}

export function marksAt(draft: BoardsDraft, { board, side }: Place): Marks {
  return draft.rewards?.[board]?.[side] ?? {};
}

/** How many squares of a side are entered. */
export function countAt(draft: BoardsDraft, place: Place): number {
  return place.kind === "gardens"
    ? printedAt(draft, place).length
    : Object.keys(marksAt(draft, place)).length;
}

/** A side as a garden, for drawing. */
export function gardenAt(draft: BoardsDraft, place: Place): Garden {
  const built = new Set(place.kind === "gardens" ? [...ROW_1, ...printedAt(draft, place)] : ROW_1);
  const marks = Object.entries(marksAt(draft, place)) as [Square, Mark][];
  return {
    printed: built,
    built,
    gardeners: new Set(),
    nobles: new Map(),
    boar: null,
    rewards: place.kind === "rewards" ? new Map(marks) : null,
  };
}

// Changes

/** The draft after a tap on a square, or why nothing happens; `mark` is put on squares of reward boards. */
export function afterTap(
  draft: BoardsDraft,
  place: Place,
  square: Square,
  mark: Mark,
): BoardsDraft | Objection {
  if (place.kind === "gardens") {
    if (ROW_1.includes(square)) return { why: "row_1", rule: "R2" };
    const printed = printedAt(draft, place);
    return withSide(draft, place, toggled(printed, square));
  }
  if (!REWARD_SQUARES.has(square)) return { why: "no_mark_here", rule: "R29" };
  const { [square]: before, ...others } = marksAt(draft, place);
  return withSide(draft, place, before === mark ? others : { ...others, [square]: mark });
}

export function isObjection(found: BoardsDraft | Objection): found is Objection {
  return "why" in found;
}

export function emptied(draft: BoardsDraft, place: Place): BoardsDraft {
  return withSide(draft, place, place.kind === "gardens" ? [] : {});
}

function withSide(draft: BoardsDraft, { kind, board, side }: Place, changed: unknown): BoardsDraft {
  const boards = draft[kind] ?? [];
  const replaced = boards.map((sides, at) =>
    at === board ? sides.map((one, index) => (index === side ? changed : one)) : sides,
  );
  return { ...draft, [kind]: replaced };
}

/** With or without the backs of all boards of a kind. */
export function withBacks(draft: BoardsDraft, kind: Place["kind"], backs: boolean): BoardsDraft {
  const empty = kind === "gardens" ? [] : {};
  const changed = (draft[kind] ?? []).map((sides) => [
    sides[0] ?? empty,
    ...(backs ? [sides[1] ?? empty] : []),
  ]);
  return { ...draft, [kind]: changed };
}

export function hasBacks(draft: BoardsDraft, kind: Place["kind"]): boolean {
  return (draft[kind] ?? []).some((sides) => sides.length > 1);
}

/** With reward boards to enter, or the usual ones. */
export function withOwnRewards(draft: BoardsDraft, own: boolean): BoardsDraft {
  return { ...draft, rewards: own ? boardsWith<Marks>([{}, {}]) : null };
}

/** With colour pairs to enter, or the usual ones. */
export function withOwnPairs(draft: BoardsDraft, own: boolean): BoardsDraft {
  return { ...draft, pairs: own ? [] : null };
}

export function withPair(draft: BoardsDraft, pair: ColourCard): BoardsDraft {
  const pairs = toggled(draft.pairs ?? [], pair);
  return { ...draft, pairs: COLOUR_CARDS.filter((one) => pairs.includes(one)) };
}

function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** The request that has a draft checked. */
export function toRequest({ name, pairs, gardens, rewards }: BoardsDraft): DraftBody {
  return {
    name,
    pairs: pairs && [...pairs],
    gardens: gardens.map((sides) => sides.map((side) => [...side])),
    rewards: rewards && rewards.map((sides) => sides.map((side) => ({ ...side }) as Record<string, string>)),
  };
}

// Links
//
//     name=my+box&gardens=c2g2a3i3h4a5-b2d2f3a4i4i5.…&rewards=0142…-….…&pairs=24253536…
//
// Boards are separated by dots, sides by hyphens. A reward side has one digit for each of its sixteen squares, row by
// row: 0 without a mark, else the place of the mark among MARKS.

/** A draft as the fragment of a link. */
export function writeFragment({ name, pairs, gardens, rewards }: BoardsDraft): string {
  const fields = new URLSearchParams({ name, gardens: joined(gardens, (side) => side.join("")) });
  if (rewards !== null) fields.set("rewards", joined(rewards, writeMarks));
  if (pairs !== null) fields.set("pairs", pairs.join(""));
  return `${fields}`;
}

/** The draft in the fragment of a link; null if it is not one. */
export function readFragment(fragment: string): BoardsDraft | null {
  const fields = new URLSearchParams(fragment);
  const [name, gardens, rewards, pairs] = ["name", "gardens", "rewards", "pairs"].map((key) =>
    fields.get(key),
  );
  if (!/^[^.-]*(-[^.-]*)?(\.[^.-]*(-[^.-]*)?){3}$/.test(gardens ?? "")) return null;
  if (rewards != null && !/^\d{16}(-\d{16})?(\.\d{16}(-\d{16})?){3}$/.test(rewards)) return null; // cut short
  return {
    name: (name ?? "").slice(0, LONGEST_NAME),
    gardens: split(gardens!).map((sides) => sides.map((side) => readSquares(inPairs(side)))),
    rewards: rewards == null ? null : readRewards(split(rewards).map((sides) => sides.map(readMarkDigits))),
    pairs: pairs == null ? null : readPairs(inPairs(pairs)),
  };
}

const SIXTEEN = [...REWARD_SQUARES];
const joined = <Side>(boards: Sides<Side>, write: (side: Side) => string) =>
  boards.map((sides) => sides.map(write).join("-")).join(".");
const split = (text: string) => text.split(".").map((sides) => sides.split("-"));
const inPairs = (text: string): readonly string[] => text.match(/../g) ?? [];
const writeMarks = (marks: Marks) =>
  SIXTEEN.map((square) => (marks[square] === undefined ? 0 : MARKS.indexOf(marks[square]) + 1)).join("");
const readMarkDigits = (digits: string): Marks =>
  readMarks(Object.fromEntries(SIXTEEN.map((square, at) => [square, MARKS[Number(digits[at]) - 1]])));

// Storage

/** The stored sets without their invalid values. */
export function readStored(value: unknown): readonly StoredBoards[] {
  return asArray(value)
    .slice(0, MOST_SETS)
    .map((one) => {
      const { name, pairs, gardens, rewards, file } = asObject(one);
      return {
        draft: {
          name: typeof name === "string" ? name.slice(0, LONGEST_NAME) : "",
          pairs: Array.isArray(pairs) ? readPairs(pairs) : null,
          gardens: four(asArray(gardens).map(readGarden), [[]]),
          rewards: Array.isArray(rewards) ? readRewards(rewards.map(readReward)) : null,
        },
        file: typeof file === "string" ? file : null,
      };
    });
}

/** The name and the file are what other screens read. */
export function toStored({ draft, file }: StoredBoards): object {
  return { ...draft, file };
}

function readGarden(sides: unknown): readonly (readonly Square[])[] {
  return oneOrTwo(asArray(sides).map(readSquares), []);
}

function readReward(sides: unknown): readonly Marks[] {
  return oneOrTwo(asArray(sides).map(readMarks), {});
}

const readRewards = (boards: Sides<Marks>) => four(boards, [{}]);

function readSquares(squares: unknown): readonly Square[] {
  return [...new Set(asArray(squares).filter(isSquare))];
}

function readMarks(marks: unknown): Marks {
  const valid = Object.entries(asObject(marks)).filter(
    ([square, mark]) => isSquare(square) && REWARD_SQUARES.has(square) && MARKS.some((one) => one === mark),
  );
  return Object.fromEntries(valid) as Marks;
}

function readPairs(pairs: readonly unknown[]): readonly ColourCard[] {
  return COLOUR_CARDS.filter((one) => pairs.includes(one));
}

function oneOrTwo<Side>(sides: readonly Side[], empty: Side): readonly Side[] {
  return sides.length === 0 ? [empty] : sides.slice(0, NAMES.length);
}

function four<Side>(boards: Sides<Side>, empty: readonly Side[]): Sides<Side> {
  return Array.from({ length: BOARDS }, (_, board) => boards[board] ?? empty);
}
