/** A review to look at: where the lines of the graph run, what the figures of a seat are, which turns were missed. */
import type { ReviewAccount, ReviewDocument, ReviewPoint, ReviewTurn } from "../../net/types";
import { after, connected, gardenOf, type Garden } from "../../game/garden";
import { asTurn, type Motif, type Square, type Turn } from "../../game/notation";
import type { Replay } from "../../game/replay";

/** A drawing in its own units: the field of the lines lies between the edges. */
export interface Frame {
  readonly wide: number;
  readonly high: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** For a large window and for a phone, so that what is written has the same size in both. */
export const FRAMES: Record<"large" | "small", Frame> = {
  large: { wide: 720, high: 300, left: 52, right: 16, top: 16, bottom: 34 },
  small: { wide: 340, high: 270, left: 56, right: 12, top: 14, bottom: 30 },
};

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Where the position before a turn is drawn, counted from 0, for a share of the win. */
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

/** The turns at which a round begins that has its number below the drawing: the first, and every fifth. */
export function roundsOf(document: ReviewDocument): readonly { round: number; position: number }[] {
  const seats = document.seats.length;
  return [1, 5, 10, 15]
    .map((round) => ({ round, position: (round - 1) * seats }))
    .filter(({ position }) => position < document.positions.length);
}

/** Seats with the same name get their numbers. */
export function namesOf(document: ReviewDocument): readonly string[] {
  const names = document.seats.map(({ name }) => name);
  return names.map((name, seat) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${seat + 1})`,
  );
}

/** Parts of a win in whole hundredths, which add up; `±` of 19 times out of 20 in hundredths too. */
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

/** What rounding loses goes to luck. */
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

/** A hundredth of the win: what is less is not worth a line. */
const WORTH_A_LINE = 0.005;

/** Turns for which a better one was missed, costliest first, without the turning points. */
export function otherMisses(document: ReviewDocument): readonly ReviewTurn[] {
  const points = document.turning_points.filter(({ cause }) => cause !== "luck");
  const told = new Set(points.map(({ turn }) => turn));
  return document.turns
    .filter(({ missed, cost, turn }) => missed && cost.win_share >= WORTH_A_LINE && !told.has(turn))
    .sort((one, other) => other.cost.win_share - one.cost.win_share);
}

/** A turn as it can be drawn: the garden of its seat after it. */
export interface DrawnTurn {
  readonly turn: Turn;
  /** What lay on the space that it takes from. */
  readonly motif: Motif;
  readonly garden: Garden;
  readonly connected: ReadonlySet<Square>;
  readonly squares: ReadonlySet<Square>;
}

/** A turn of a seat, played or not, on the position before a turn of the game, which is counted from 1. */
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
