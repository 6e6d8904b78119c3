/** Statistics of a guest: wins by opponent, points by part, and the export as CSV. */

import type { PlayedGame, Score } from "../../net/types";

export type Part = Exclude<keyof Score, "total">;
export const PARTS: readonly Part[] = ["nobles", "rows", "columns", "missions", "rewards", "boar"];

/** How many games a chart shows. */
const MOST_BARS = 30;
/** Against other people; any other opponent is the name of a computer player. */
export const PEOPLE = "people";

/** Games played and won; a shared victory counts as won. */
export interface WinCount {
  readonly games: number;
  readonly won: number;
}

/** Games against one kind of opponent, by number of seats. */
export interface OpponentRecord extends WinCount {
  readonly opponent: string;
  readonly bySeats: ReadonlyMap<number, WinCount>;
}

export const hasWon = (game: PlayedGame): boolean => game.winners.includes(game.seat);

/** Whether the game was played to its last turn, so that its points can be compared. */
export const isPlayed = (game: PlayedGame): boolean => game.manner === "played" && !game.conceded;

export function winCount(games: readonly PlayedGame[]): WinCount {
  return { games: games.length, won: games.filter(hasWon).length };
}

/** The opponent of a game: people, if there were any; else the strongest computer player. */
export function opponentOf({ seats, seat }: PlayedGame): string {
  const others = seats.filter((_, place) => place !== seat).map(({ player }) => player);
  const players = others.filter((player) => player !== null);
  return players.length < others.length ? PEOPLE : players.reduce(stronger);
}

/** `level:10` is stronger than `level:9`, and any level than another name. */
function stronger(one: string, other: string): string {
  return rank(one) >= rank(other) ? one : other;
}

const rank = (player: string): number => Number(/^level:(\d+)$/.exec(player)?.[1] ?? 0);

/** All kinds of opponents: computer players from the weakest to the strongest, then people. */
export function byOpponent(games: readonly PlayedGame[]): readonly OpponentRecord[] {
  const opponents = [...new Set(games.map(opponentOf))].sort(
    (one, other) =>
      Number(one === PEOPLE) - Number(other === PEOPLE) ||
      rank(one) - rank(other) ||
      one.localeCompare(other),
  );
  return opponents.map((opponent) => {
    const those = games.filter((game) => opponentOf(game) === opponent);
    const seats = [2, 3, 4].filter((count) => those.some((game) => game.seats.length === count));
    const tallies = seats.map((count): [number, WinCount] => [
      count,
      winCount(those.filter((game) => game.seats.length === count)),
    ]);
    return { opponent, ...winCount(those), bySeats: new Map(tallies) };
  });
}

/** The last games that were played to their end, oldest first. */
export function scoreHistory(games: readonly PlayedGame[], most = MOST_BARS): readonly PlayedGame[] {
  return games.filter(isPlayed).slice(0, most).reverse();
}

/** Parts with points in at least one game. */
export function partsIn(games: readonly PlayedGame[]): readonly Part[] {
  return PARTS.filter((part) => games.some(({ score }) => score[part] !== 0));
}

/** The mean over some games; null if there are none. */
export function mean(games: readonly PlayedGame[], of: (score: Score) => number): number | null {
  if (games.length === 0) return null;
  return games.reduce((sum, { score }) => sum + of(score), 0) / games.length;
}

/** A piece of a stacked bar: the points of a part. */
export interface Piece {
  readonly part: Part;
  readonly from: number;
  readonly to: number;
}

/** Gains are stacked above the zero line, losses below it. */
export function barPieces(score: Score): readonly Piece[] {
  let [above, below] = [0, 0];
  return PARTS.filter((part) => score[part] !== 0).map((part) => {
    const points = score[part];
    if (points > 0) return { part, from: above, to: (above += points) };
    return { part, from: below, to: (below += points) };
  });
}

/** The range of a chart, in multiples of ten. */
export function scoreRange(games: readonly PlayedGame[]): { readonly least: number; readonly most: number } {
  const ends = games.flatMap(({ score }) => barPieces(score).map(({ to }) => to));
  return {
    least: Math.floor(Math.min(0, ...ends) / 10) * 10,
    most: Math.ceil(Math.max(10, ...ends) / 10) * 10,
  };
}

const COLUMNS = "ended,table,edition,expansions,seats,seat,opponents,manner,conceded,won,taken_back,total";

/** All games as CSV, oldest first; no value needs quotes. */
export function writeCsv(games: readonly PlayedGame[]): string {
  const lines = [...games].reverse().map((game) => {
    const others = game.seats.filter((_, seat) => seat !== game.seat);
    return [
      new Date(game.ended_at * 1000).toISOString(),
      game.table,
      game.edition,
      game.expansions.join("+"),
      game.seats.length,
      game.seat + 1,
      others.map(({ player }) => player ?? PEOPLE).join("+"),
      game.manner,
      game.conceded ? 1 : 0,
      hasWon(game) ? 1 : 0,
      game.taken_back,
      game.score.total,
      ...PARTS.map((part) => game.score[part]),
    ].join(",");
  });
  return [`${COLUMNS},${PARTS.join(",")}`, ...lines, ""].join("\r\n");
}
