/** The daily games played in this browser, and their results. */

import type { Edition, Expansion, TableView } from "../../net/types";
import { PARTS, type Part } from "../../game/gameResult";
import { COLUMNS, ROWS, squareAt } from "../../game/notation";
import { asArray, asObject } from "../../app/settings";

/** The result of a daily game. The field names are a storage format. */
export interface DailyEnd {
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  readonly total: number;
  /** The points of the opponent. */
  readonly other: number;
  readonly won: boolean;
  readonly shared: boolean;
  readonly gaveUp: boolean;
  readonly takenBack: number;
  readonly parts: Readonly<Record<Part, number>>;
  /** The garden, row by row: `.` free, `b` built, `g` gardener, `n` noble. */
  readonly plan: string;
}

/** A daily game that was started; `end` is null until its result is known. */
export interface DailyGame {
  readonly day: string;
  readonly table: string;
  readonly end: DailyEnd | null;
}

/** How many days are stored; older ones are dropped. */
export const MOST_DAYS = 400;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TABLE = /^[0-9a-f]{16}$/;
const PLAN = /^[.bgn]{54}$/;
/** Characters of equal width that every font has, unlike emoji. */
const SIGNS: Readonly<Record<string, string>> = { ".": "□", b: "■", g: "▦", n: "▣" };

/** The result for the person at a table; null while the game goes on, or if it was abandoned. */
export function dailyEnd({ ending, game, terms, chairs, taken_back }: TableView): DailyEnd | null {
  const own = chairs.find(({ sitter }) => sitter === "person");
  const seat = own?.seat ?? null;
  if (ending === null || ending.manner === "abandoned" || game === null || seat === null) return null;
  const score = game.scores[seat]!;
  const parts = Object.keys(PARTS).map((part) => [part, score[part as Part]]);
  return {
    edition: terms.edition,
    expansions: terms.expansions,
    total: score.total,
    other: game.scores[1 - seat]!.total,
    won: ending.winners.includes(seat),
    shared: ending.winners.length > 1,
    gaveUp: own?.conceded ?? false,
    takenBack: taken_back,
    parts: Object.fromEntries(parts) as DailyEnd["parts"],
    plan: gardenPlan(game.gardens[seat]!),
  };
}

function gardenPlan({ built, gardeners, nobles }: NonNullable<TableView["game"]>["gardens"][number]): string {
  const signs = ROWS.flatMap((row) =>
    COLUMNS.map((column) => {
      const square = squareAt(column, row);
      if (nobles.includes(square)) return "n";
      if (gardeners.includes(square)) return "g";
      return built.includes(square) ? "b" : ".";
    }),
  );
  return signs.join("");
}

/** A garden as text: six lines of nine characters. */
export function gardenLines(plan: string): readonly string[] {
  return ROWS.map((row) =>
    [...plan.slice(9 * (row - 1), 9 * row)].map((sign) => SIGNS[sign] ?? SIGNS["."]!).join(""),
  );
}

/** Add or replace the game of a day; the newest day is first. */
export function withGame(games: readonly DailyGame[], game: DailyGame): readonly DailyGame[] {
  const others = games.filter(({ day, table }) => day !== game.day && table !== game.table);
  return [...others, game].sort((one, other) => (one.day < other.day ? 1 : -1)).slice(0, MOST_DAYS);
}

/** Remove a game whose table was deleted or abandoned. */
export function withoutTable(games: readonly DailyGame[], table: string): readonly DailyGame[] {
  return games.filter((game) => game.table !== table);
}

/** How many days in a row were played to the end, up to today or yesterday. */
export function streakOf(games: readonly DailyGame[], today: string): number {
  const played = new Set(games.filter(({ end }) => end !== null).map(({ day }) => day));
  let day = played.has(today) ? today : before(today);
  let days = 0;
  for (; played.has(day); day = before(day)) days++;
  return days;
}

function before(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** The stored games; invalid ones are left out. */
export function readGames(value: unknown): readonly DailyGame[] {
  return asArray(value)
    .flatMap((one): DailyGame[] => {
      const { day, table, end } = asObject(one);
      if (typeof day !== "string" || !DAY.test(day)) return [];
      if (typeof table !== "string" || !TABLE.test(table)) return [];
      return [{ day, table, end: readEnd(end) }];
    })
    .reduce<readonly DailyGame[]>(withGame, []);
}

function readEnd(value: unknown): DailyEnd | null {
  const stored = asObject(value);
  const parts = Object.keys(PARTS).map((part) => [part, asObject(stored["parts"])[part]]);
  const numbers = [
    stored["total"],
    stored["other"],
    stored["takenBack"],
    ...parts.map(([, points]) => points),
  ];
  if (!numbers.every(Number.isInteger) || !PLAN.test(`${stored["plan"]}`)) return null;
  return {
    edition: stored["edition"] === "imperial" ? "imperial" : "ravensburger",
    expansions: (["rewards", "wild_boar"] as const).filter((one) =>
      asArray(stored["expansions"]).includes(one),
    ),
    total: stored["total"] as number,
    other: stored["other"] as number,
    won: stored["won"] === true,
    shared: stored["shared"] === true,
    gaveUp: stored["gaveUp"] === true,
    takenBack: stored["takenBack"] as number,
    parts: Object.fromEntries(parts) as DailyEnd["parts"],
    plan: stored["plan"] as string,
  };
}
