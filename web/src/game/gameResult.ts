/** The result of a game: the winner and why, all scores by part, and what the end of the game added. */

import { gardenOf, rowOfNoble } from "./garden";
import { asColumn, type Column, type Row } from "./notation";
import type { Ending, GameView, Score, TableView } from "../net/types";

/** The parts of a score in order, each with its rule. */
export const PARTS = {
  nobles: "R21",
  rewards: "R29",
  boar: "R35",
  rows: "R25",
  columns: "R26",
  missions: "R27",
} as const;
export type Part = keyof typeof PARTS;

export interface RankedSeat {
  readonly seat: number;
  /** 1 is first; seats tied on points and gardeners share a place. */
  readonly place: number;
  readonly winner: boolean;
  readonly conceded: boolean;
  readonly score: Score;
  readonly gardeners: number;
  /** Null if the game was not played to its end. */
  readonly missions: readonly ScoredMission[] | null;
}

/** R27: a mission scores the row in which its noble stands at the end. */
export interface ScoredMission {
  readonly column: Column;
  readonly row: Row | 0;
}

/** R28: how a tie on points was decided. */
export interface TieBreak {
  readonly rule: "R28";
  /** Decided by gardeners, shared by all tied seats, or shared by those with the most gardeners. */
  readonly kind: "gardeners" | "shared" | "gardeners_shared";
  /** The seats that share the most points. */
  readonly tied: readonly number[];
  readonly points: number;
}

export interface PartRow {
  readonly part: Part | "total";
  readonly rule: string;
  /** By seat. */
  readonly points: readonly number[];
  /** The seats with the most; empty if all are equal. */
  readonly best: readonly number[];
}

export interface GameResult {
  readonly manner: Ending["manner"];
  readonly winners: readonly number[];
  /** The best first. */
  readonly places: readonly RankedSeat[];
  readonly tieBreak: TieBreak | null;
  /** Scores side by side: the parts that are played, then the total. */
  readonly table: readonly PartRow[];
}

/** The result; null while the game goes on, or if it was abandoned before the deal. */
export function gameResult(view: TableView): GameResult | null {
  const { ending, game } = view;
  if (ending === null || game === null) return null;
  const places = rankSeats(view, game, ending);
  return {
    manner: ending.manner,
    winners: ending.winners,
    places,
    tieBreak: ending.manner === "played" ? tieBreakOf(places) : null,
    table: partTable(game),
  };
}

/** What to tell a player who did not win: how close it was, and what went best. */
export interface Consolation {
  readonly winner: number;
  /** Points behind the winner; 0 if only the gardeners decided. */
  readonly margin: number;
  readonly part: Part;
  readonly points: number;
  /** Whether no other seat has as many points for this part. */
  readonly best: boolean;
}

/** A margin of at most so many points is called close. */
export const CLOSE_MARGIN = 5;

/** Null for winners, and if the game was not played to its end. */
export function consolation(result: GameResult, seat: number | null): Consolation | null {
  const [winner] = result.winners;
  const score = result.places.find((place) => place.seat === seat)?.score;
  const first = result.places.find((place) => place.seat === winner)?.score;
  if (winner === undefined || seat === null || score === undefined || first === undefined) return null;
  if (result.manner !== "played" || result.winners.includes(seat)) return null;
  if (score.total > first.total) return null; // a stand-in played the best game for a player who gave up
  const parts = result.table.flatMap(({ part, points }) => {
    if (part === "total") return [];
    const others = Math.max(...points.filter((_, other) => other !== seat));
    const own = points[seat]!;
    return [{ part, points: own, lead: own > 0 ? own - others : 0 }];
  });
  const most = (by: "lead" | "points") => parts.reduce((one, other) => (other[by] > one[by] ? other : one));
  const leading = most("lead");
  const { part, points } = leading.lead > 0 ? leading : most("points");
  return { winner, margin: first.total - score.total, part, points, best: leading.lead > 0 };
}

/** Whether all chairs except these are computer players, so that a rematch can start at once. */
export function noOtherPeople(chairs: readonly number[], view: TableView): boolean {
  return view.chairs.every(({ chair, sitter }) => sitter === "computer" || chairs.includes(chair));
}

function rankSeats(view: TableView, game: GameView, ending: Ending): readonly RankedSeat[] {
  const seats = game.scores.map((score, seat) => ({
    seat,
    winner: ending.winners.includes(seat),
    conceded: view.chairs.some((chair) => chair.seat === seat && chair.conceded),
    score,
    gardeners: game.gardens[seat]?.gardeners.length ?? 0,
    missions: ending.manner === "played" ? scoredMissions(game, seat) : null,
  }));
  return seats
    .map((one) => ({ ...one, place: 1 + seats.filter((other) => isBetter(other, one)).length }))
    .sort((one, other) => one.place - other.place || one.seat - other.seat);
}

type Ranked = Pick<RankedSeat, "conceded" | "score" | "gardeners">;

/** R28: most points, then most gardeners. Players who conceded rank last. */
function isBetter(one: Ranked, other: Ranked): boolean {
  if (one.conceded !== other.conceded) return other.conceded;
  if (one.score.total !== other.score.total) return one.score.total > other.score.total;
  return one.gardeners > other.gardeners;
}

function tieBreakOf(places: readonly RankedSeat[]): TieBreak | null {
  const left = places.filter((place) => !place.conceded);
  const points = Math.max(...left.map((place) => place.score.total));
  const tied = left.filter((place) => place.score.total === points);
  if (tied.length < 2) return null;
  const winners = tied.filter((place) => place.winner).length;
  return {
    rule: "R28",
    kind: winners === tied.length ? "shared" : winners > 1 ? "gardeners_shared" : "gardeners",
    tied: tied.map((place) => place.seat),
    points,
  };
}

function scoredMissions(game: GameView, seat: number): readonly ScoredMission[] {
  const garden = gardenOf(game.gardens[seat]!);
  return (game.missions[seat] ?? [])
    .map(asColumn)
    .map((column) => ({ column, row: rowOfNoble(garden, column) }));
}

function partTable(game: GameView): readonly PartRow[] {
  const { expansions } = game.variant;
  const played = (Object.keys(PARTS) as Part[]).filter(
    (part) =>
      (part !== "rewards" || expansions.includes("rewards")) &&
      (part !== "boar" || expansions.includes("wild_boar")),
  );
  const rows = played.map((part) =>
    partRow(
      part,
      PARTS[part],
      game.scores.map((score) => score[part]),
    ),
  );
  return [
    ...rows,
    partRow(
      "total",
      "R28",
      game.scores.map((score) => score.total),
    ),
  ];
}

function partRow(part: PartRow["part"], rule: string, points: readonly number[]): PartRow {
  const most = Math.max(...points);
  const best = points.flatMap((count, seat) => (count === most ? [seat] : []));
  return { part, rule, points, best: best.length === points.length ? [] : best };
}
