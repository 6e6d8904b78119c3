/** A review as it is shown: the lines of its graph, the figures of each seat, and the missed turns. */
import type { ReviewAccount, ReviewDocument, ReviewPoint, ReviewTurn } from "../../net/types";
import { after, connected, gardenOf, type Garden } from "../../game/garden";
import { asTurn, type Motif, type Square, type Turn } from "../../game/notation";
import type { Replay } from "../../game/replay";

/** The size of a graph, and the margins around its lines, in units of the drawing. */
export interface Frame {
  readonly wide: number;
  readonly high: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** For large windows and for phones, so that texts have the same size in both. */
export const FRAMES: Record<"large" | "small", Frame> = {
  large: { wide: 720, high: 300, left: 52, right: 16, top: 16, bottom: 34 },
  small: { wide: 340, high: 270, left: 56, right: 12, top: 14, bottom: 30 },
};

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The point of a position (from 0) and a chance of winning. */
export function spotOf(document: ReviewDocument, frame: Frame, position: number, share: number): Spot {
  const { wide, high, left, right, top, bottom } = frame;
  const last = Math.max(1, document.positions.length - 1);
  return {
    x: left + ((wide - left - right) * position) / last,
    y: top + (high - top - bottom) * (1 - share),
  };
}

/** The line of a seat through all positions. */
export function lineOf(document: ReviewDocument, frame: Frame, seat: number): readonly Spot[] {
  return document.positions.map(({ win_share }, position) =>
    spotOf(document, frame, position, win_share[seat]!),
  );
}

/** The rounds that are labelled below the graph, the first and every fifth, with their first positions. */
export function roundsOf(document: ReviewDocument): readonly { round: number; position: number }[] {
  const seats = document.seats.length;
  return [1, 5, 10, 15]
    .map((round) => ({ round, position: (round - 1) * seats }))
    .filter(({ position }) => position < document.positions.length);
}

/** The names by seat; equal names get the number of their seat. */
export function namesOf(document: ReviewDocument): readonly string[] {
  const names = document.seats.map(({ name }) => name);
  return names.map((name, seat) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${seat + 1})`,
  );
}

/** Parts of a win in per cent, which add up; doubts are half the width of a 95 % confidence interval. */
export interface Figures {
  readonly start: number;
  readonly skill: number;
  readonly others: number;
  readonly luck: number;
  readonly end: number;
  readonly skillDoubt: number;
  readonly luckDoubt: number;
}

const INTERVAL = 1.96;

/** Rounding errors are added to luck. */
export function figuresOf(account: ReviewAccount): Figures {
  const whole = (part: number) => Math.round(100 * part) + 0;
  const [start, skill, others, end] = [account.start, account.skill, account.others, account.end].map(whole);
  return {
    start: start!,
    skill: skill!,
    others: others!,
    luck: end! - start! - skill! - others!,
    end: end!,
    skillDoubt: whole(INTERVAL * account.error),
    luckDoubt: whole(INTERVAL * account.luck_error),
  };
}

/** The turn of a turning point. */
export function turnOf(document: ReviewDocument, point: ReviewPoint): ReviewTurn {
  return document.turns[point.turn - 1]!;
}

/** Misses whose cost rounds to 0 % are not listed. */
const LEAST_COST = 0.005;

/** Turns for which a better one was missed, costliest first, without the turning points. */
export function otherMisses(document: ReviewDocument): readonly ReviewTurn[] {
  const points = document.turning_points.filter(({ cause }) => cause !== "luck");
  const shown = new Set(points.map(({ turn }) => turn));
  return document.turns
    .filter(({ missed, cost, turn }) => missed && cost.win_share >= LEAST_COST && !shown.has(turn))
    .sort((one, other) => other.cost.win_share - one.cost.win_share);
}

/** A turn to be drawn, with the garden after it. */
export interface DrawnTurn {
  readonly turn: Turn;
  /** The motif of the tile that it takes. */
  readonly motif: Motif;
  readonly garden: Garden;
  readonly connected: ReadonlySet<Square>;
  readonly squares: ReadonlySet<Square>;
}

/** A turn, played or not, in place of turn `number` of the game (from 1). */
export function drawTurn(replay: Replay, number: number, seat: number, text: string): DrawnTurn {
  const game = replay.game(number - 1);
  const turn = asTurn(text);
  const goal = turn.boar !== null && turn.boar !== "x" ? [turn.boar] : [];
  const garden = after(gardenOf(game.gardens[seat]!), turn);
  return {
    turn,
    motif: game.display[turn.space] as Motif,
    garden,
    connected: connected(garden),
    squares: new Set([turn.square, ...goal, ...(turn.noble === null ? [] : [turn.noble])]),
  };
}
