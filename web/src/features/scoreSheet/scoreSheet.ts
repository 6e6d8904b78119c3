/**
 * The score sheet of a physical game: the gardens, and the points on the score track.
 *
 * A sheet is immutable, so that every change can be undone. The server validates it and adds up the scores.
 */

import type { Boards, Edition, Expansion, RealSeat, RealTable } from "../../net/types";
import type { Garden } from "../../game/garden";
import {
  asColumn,
  COLUMNS,
  columnOf,
  isSquare,
  ROWS,
  rowOf,
  squareAt,
  SQUARES,
  type Column,
  type Mark,
  type Row,
  type Square,
} from "../../game/notation";
import { asArray, asObject } from "../../app/settings";

export interface Sheet {
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  readonly seats: readonly SeatSheet[];
}

export interface SeatSheet {
  readonly name: string;
  /** Printed squares, structures and gardeners. */
  readonly built: readonly Square[];
  readonly gardeners: readonly Square[];
  readonly nobles: readonly Square[];
  /** Null: it has left, or is not played. */
  readonly boar: Square | null;
  readonly rewards: Readonly<Partial<Record<Square, Mark>>>;
  readonly missions: readonly [Column | null, Column | null];
  /** What the score track shows before the end is counted; null: not entered yet. */
  readonly track: number | null;
  readonly trackRewards: number | null;
  readonly trackBoar: number | null;
}

/** What a tap on a square changes. */
const TOOLS = ["tile", "noble", "boar", "mark"] as const;
export type Tool = (typeof TOOLS)[number];

/** Why a tap does nothing, with its rule. */
export interface Objection {
  readonly why:
    "row_1" | "noble_on_free_square" | "noble_on_gardener" | "boar_on_built_square" | "no_mark_here";
  readonly rule: string;
}

export const MARKS: readonly Mark[] = ["+1", "+2", "+3", "g3", "-2", "-3"];
/** R29: the sixteen squares that a reward board covers. */
export const REWARD_SQUARES: ReadonlySet<Square> = new Set(
  SQUARES.filter((square) => Math.abs(COLUMNS.indexOf(columnOf(square)) - 4) <= rowOf(square) - 3),
);
const BOAR_START: Square = "e4";
const ROW_1: readonly Square[] = COLUMNS.map((column) => squareAt(column, 1));
const LONGEST_NAME = 24;
const MOST_POINTS = 999;

export function newSeat(name = ""): SeatSheet {
  return {
    name,
    built: ROW_1,
    gardeners: [],
    nobles: [],
    boar: BOAR_START,
    rewards: {},
    missions: [null, null],
    track: null,
    trackRewards: null,
    trackBoar: null,
  };
}

export function newSheet(edition: Edition = "ravensburger"): Sheet {
  return { edition, expansions: [], seats: [newSeat(), newSeat()] };
}

/** Whether a garden or a score has been entered for a seat. */
export function isBegun(seat: SeatSheet): boolean {
  return seat.built.length > ROW_1.length || seat.nobles.length > 0 || seat.track !== null;
}

/** R34: the boar is played in the Imperial edition only. */
export function withEdition(sheet: Sheet, edition: Edition): Sheet {
  const expansions = sheet.expansions.filter((one) => one === "rewards" || edition === "imperial");
  return { ...sheet, edition, expansions };
}

export function withExpansion(sheet: Sheet, expansion: Expansion, played: boolean): Sheet {
  const others = sheet.expansions.filter((one) => one !== expansion);
  return { ...sheet, expansions: played ? [...others, expansion].sort() : others };
}

/** Removed seats are lost, except by undo. */
export function withSeats(sheet: Sheet, count: number): Sheet {
  const seats = Array.from({ length: count }, (_, seat) => sheet.seats[seat] ?? newSeat());
  return { ...sheet, seats };
}

export function withSeat(sheet: Sheet, seat: number, changed: SeatSheet): Sheet {
  return { ...sheet, seats: sheet.seats.map((one, at) => (at === seat ? changed : one)) };
}

/** The tools that the expansions need. */
export function toolsOf(sheet: Sheet): readonly Tool[] {
  return TOOLS.filter(
    (tool) =>
      (tool !== "boar" || sheet.expansions.includes("wild_boar")) &&
      (tool !== "mark" || sheet.expansions.includes("rewards")),
  );
}

/** The seat after a tap on a square, or why nothing happens. */
export function afterTap(seat: SeatSheet, square: Square, tool: Tool): SeatSheet | Objection {
  if (tool === "noble") return nobleTo(seat, square);
  if (tool === "boar") return boarTo(seat, square);
  return tool === "mark" ? marked(seat, square) : afterTileTap(seat, square);
}

export function isObjection(found: SeatSheet | Objection): found is Objection {
  return "why" in found;
}

/** Each tap goes from free to structure, gardener, and free again; row 1 is printed (R2). */
function afterTileTap(seat: SeatSheet, square: Square): SeatSheet | Objection {
  if (rowOf(square) === 1) return { why: "row_1", rule: "R2" };
  if (!seat.built.includes(square)) return withTile(seat, square, "structure");
  return withTile(seat, square, seat.gardeners.includes(square) ? "free" : "gardener");
}

/** Lays something on a square, and removes a noble or boar that can no longer stand there. */
export function withTile(
  seat: SeatSheet,
  square: Square,
  what: "free" | "structure" | "gardener",
): SeatSheet {
  const built = without(seat.built, square);
  const gardeners = without(seat.gardeners, square);
  return {
    ...seat,
    built: what === "free" ? built : [...built, square],
    gardeners: what === "gardener" ? [...gardeners, square] : gardeners,
    nobles: what === "structure" ? seat.nobles : without(seat.nobles, square),
    boar: what !== "free" && seat.boar === square ? null : seat.boar,
  };
}

/** R20: moves the noble of the column there, or back to the terrace if it already stands there. */
function nobleTo(seat: SeatSheet, square: Square): SeatSheet | Objection {
  if (seat.gardeners.includes(square)) return { why: "noble_on_gardener", rule: "R20" };
  if (!seat.built.includes(square)) return { why: "noble_on_free_square", rule: "R20" };
  const others = seat.nobles.filter((one) => columnOf(one) !== columnOf(square));
  return { ...seat, nobles: seat.nobles.includes(square) ? others : [...others, square] };
}

/** Moves the noble of a column to the next structure below it; from the last one, back to the terrace. */
export function stepped(seat: SeatSheet, column: Column): SeatSheet {
  const at = seat.nobles.find((square) => columnOf(square) === column);
  const from = at === undefined ? 0 : rowOf(at);
  const next = ROWS.map((row) => squareAt(column, row)).find(
    (square) => rowOf(square) > from && seat.built.includes(square) && !seat.gardeners.includes(square),
  );
  const others = seat.nobles.filter((square) => columnOf(square) !== column);
  return { ...seat, nobles: next === undefined ? others : [...others, next] };
}

/** Moves the boar to a free square; a second tap there makes it leave. */
function boarTo(seat: SeatSheet, square: Square): SeatSheet | Objection {
  if (seat.built.includes(square)) return { why: "boar_on_built_square", rule: "R35" };
  return { ...seat, boar: seat.boar === square ? null : square };
}

/** R29: puts the next mark on a square; after the last one, none. */
function marked(seat: SeatSheet, square: Square): SeatSheet | Objection {
  if (!REWARD_SQUARES.has(square)) return { why: "no_mark_here", rule: "R29" };
  const { [square]: before, ...rewards } = seat.rewards;
  const next = before === undefined ? MARKS[0] : MARKS[MARKS.indexOf(before) + 1];
  return { ...seat, rewards: next === undefined ? rewards : { ...rewards, [square]: next } };
}

// Boards

/** A side of a board in a set, as the value of a select: `0.1` is the back of the first board. */
export type SideName = `${number}.${number}`;

export function sidesOf(boards: readonly (readonly unknown[])[]): readonly SideName[] {
  return boards.flatMap((board, number) => board.map((_, side): SideName => `${number}.${side}`));
}

function sideOf<Side>(boards: readonly (readonly Side[])[], name: SideName): Side | undefined {
  const [board, side] = name.split(".").map(Number);
  return boards[board ?? -1]?.[side ?? -1];
}

/** Builds the squares printed on a garden side, except those below a reward board (R33). */
export function withBoardSides(seat: SeatSheet, boards: Boards, name: SideName, rewards: boolean): SeatSheet {
  const printed = (sideOf(boards.gardens, name) ?? []).filter(isSquare);
  const shown = printed.filter((square) => !(rewards && REWARD_SQUARES.has(square)));
  return shown.reduce(
    (one, square) => (one.built.includes(square) ? one : withTile(one, square, "structure")),
    seat,
  );
}

export function withRewards(seat: SeatSheet, boards: Boards, name: SideName): SeatSheet {
  return { ...seat, rewards: (sideOf(boards.rewards, name) ?? {}) as SeatSheet["rewards"] };
}

// Requests and views

/** The request that has a sheet scored. */
export function toRequest(sheet: Sheet): RealTable {
  return {
    edition: sheet.edition,
    expansions: [...sheet.expansions],
    seats: sheet.seats.map((seat) => toRequestSeat(sheet, seat)),
  };
}

function toRequestSeat(sheet: Sheet, seat: SeatSheet): RealSeat {
  const rewards = sheet.expansions.includes("rewards");
  const boar = sheet.expansions.includes("wild_boar");
  return {
    built: [...seat.built],
    gardeners: [...seat.gardeners],
    nobles: [...seat.nobles],
    boar: boar ? seat.boar : null,
    rewards: rewards ? (seat.rewards as Record<string, string>) : {},
    missions: seat.missions.filter((mission) => mission !== null),
    track: seat.track ?? 0,
    track_rewards: rewards ? seat.trackRewards : null,
    track_boar: boar ? seat.trackBoar : null,
  };
}

/** The garden of a seat, for drawing. */
export function gardenOn(sheet: Sheet, seat: SeatSheet): Garden {
  return {
    printed: new Set(ROW_1),
    built: new Set(seat.built),
    gardeners: new Set(seat.gardeners),
    nobles: new Map(seat.nobles.map((square) => [columnOf(square), square])),
    boar: sheet.expansions.includes("wild_boar") ? seat.boar : null,
    rewards: sheet.expansions.includes("rewards")
      ? new Map(Object.entries(seat.rewards) as [Square, Mark][])
      : null,
  };
}

/** How many squares of each row and column are built. */
export interface BuildProgress {
  readonly rows: readonly { readonly row: Row; readonly built: number; readonly points: number }[];
  readonly columns: readonly { readonly column: Column; readonly built: number }[];
}

/** R25, R26: the built squares of each row and column; a complete row scores 10 minus its number. */
export function progressOf(seat: SeatSheet): BuildProgress {
  const many = (of: (square: Square) => boolean) => seat.built.filter(of).length;
  return {
    rows: ROWS.filter((row) => row > 1).map((row) => ({
      row,
      built: many((square) => rowOf(square) === row),
      points: 10 - row,
    })),
    columns: COLUMNS.map((column) => ({ column, built: many((square) => columnOf(square) === column) })),
  };
}

// Storage

/** The stored sheet without its invalid values; null if there is none. */
export function readSheet(value: unknown): Sheet | null {
  const stored = asObject(value);
  const seats = asArray(stored["seats"]).map(readSeat);
  if (seats.length < 2 || seats.length > 4) return null;
  const edition = stored["edition"] === "imperial" ? "imperial" : "ravensburger";
  const expansions = (["rewards", "wild_boar"] as const).filter((one) =>
    asArray(stored["expansions"]).includes(one),
  );
  return withEdition({ edition, expansions, seats }, edition);
}

function readSeat(value: unknown): SeatSheet {
  const stored = asObject(value);
  const built = [...new Set([...ROW_1, ...asArray(stored["built"]).filter(isSquare)])];
  const gardeners = [...new Set(asArray(stored["gardeners"]).filter(isSquare))].filter(
    (square) => built.includes(square) && rowOf(square) > 1,
  );
  const nobles = new Map(
    asArray(stored["nobles"])
      .filter(isSquare)
      .map((square) => [columnOf(square), square]),
  );
  const marks = Object.entries(asObject(stored["rewards"])).filter(
    ([square, mark]) => isSquare(square) && REWARD_SQUARES.has(square) && MARKS.some((one) => one === mark),
  );
  const [first, second] = asArray(stored["missions"]);
  return {
    name: typeof stored["name"] === "string" ? stored["name"].slice(0, LONGEST_NAME) : "",
    built,
    gardeners,
    nobles: [...nobles.values()],
    boar: isSquare(stored["boar"]) ? stored["boar"] : null,
    rewards: Object.fromEntries(marks) as SeatSheet["rewards"],
    missions: [readMission(first), readMission(second)],
    track: readPoints(`${stored["track"] ?? ""}`, 0),
    trackRewards: readPoints(`${stored["trackRewards"] ?? ""}`),
    trackBoar: readPoints(`${stored["trackBoar"] ?? ""}`, 0),
  };
}

export function readMission(value: unknown): Column | null {
  return COLUMNS.some((column) => column === value) ? asColumn(value as string) : null;
}

/** Points as typed, with a hyphen or a minus sign; null if invalid. */
export function readPoints(text: string, least = -MOST_POINTS): number | null {
  const typed = text.trim().replace("−", "-");
  if (!/^-?\d{1,3}$/.test(typed)) return null;
  return Math.max(least, Number(typed));
}

function without(squares: readonly Square[], square: Square): readonly Square[] {
  return squares.filter((one) => one !== square);
}
