/** A hint as drawn on the board: card, space, squares with points, the walk, and the squares of its reasons. */
import { walk } from "./garden";
import {
  columnOf,
  isSquare,
  LEAVES,
  parseTurn,
  type Card,
  type Space,
  type Square,
  type Turn,
  squareOf,
} from "./notation";
import { pointsMade } from "./animation";
import type { TurnPoints } from "./points";
import type { Hint } from "../net/types";
import type { Staging } from "./staging";

/** A turn suggested by a hint. */
export interface Candidate {
  readonly text: string;
  readonly turn: Turn;
  /** Points scored immediately. */
  readonly points: TurnPoints;
  /** The expected chance of winning, and the points over those of the best other player. */
  readonly share: number;
  readonly margin: number;
  /** Whether it is about as good as the best. */
  readonly level: boolean;
}

export type HintedPart = "tile" | "boar" | "stop" | "walk" | "reason";

export interface HintedSquare {
  readonly part: HintedPart;
  /** Points scored on this square. */
  readonly points: number;
  /** The numbers of the reasons about it, from 1: `1 3`. */
  readonly reasons: string;
}

export interface HintOverlay {
  readonly card: Card | null;
  readonly space: Space | null;
  /** In the viewer's garden. */
  readonly squares: ReadonlyMap<Square, HintedSquare>;
  /** In other gardens, by seat: squares with the numbers of the reasons about them. */
  readonly others: ReadonlyMap<number, ReadonlyMap<Square, string>>;
}

/** The turns of a hint that can be staged, in the order of the server: by chance of winning, then by margin. */
export function candidatesOf(hint: Hint, staging: Staging): readonly Candidate[] {
  return [hint.expected, ...hint.others].flatMap(({ turn: text, share, margin, level }) => {
    const turn = parseTurn(text);
    const points = turn && staging.stage(turn)?.points;
    return points ? [{ text, turn, points, share, margin, level }] : [];
  });
}

/**
 * A suggested turn as drawn while a turn is staged. Only what can be chosen now is marked: the noble's stop once the tile
 * lies on its square, and only the choice to go back to once another one was made.
 */
export function demonstrationOf(turn: Turn, staging: Staging): HintOverlay | null {
  const points = staging.stage(turn)?.points;
  if (points === undefined) return null;
  const whole = hintOverlayOf({ turn, points }, staging, []);
  const differs = <T>(chosen: T | null, suggested: T) => chosen !== null && chosen !== suggested;
  const nothing = { card: null, space: null, squares: new Map() };
  if (differs(staging.value("card"), turn.card)) return { ...whole, ...nothing, card: turn.card };
  if (differs(staging.value("space"), turn.space)) return { ...whole, ...nothing, space: turn.space };
  const squares = new Map([...whole.squares].filter(([, { part }]) => part === "tile"));
  if (differs(staging.tile && squareOf(staging.tile), turn.square)) return { ...whole, ...nothing, squares };
  return staging.tile === null || staging.need === "boar" ? { ...whole, squares } : whole;
}

/** Only the best candidate has reasons. */
export function hintOverlayOf(
  candidate: Pick<Candidate, "turn" | "points">,
  staging: Staging,
  reasons: Hint["reasons"],
): HintOverlay {
  const { turn } = candidate;
  const numbered = reasonNumbers(reasons);
  const made = pointsMade(candidate);
  const parts = partsOf(turn, staging);
  const squares = new Set([...parts.keys(), ...numbered.keys()]);
  return {
    card: turn.card,
    space: turn.space,
    squares: new Map(
      [...squares].map((square) => [
        square,
        {
          part: parts.get(square) ?? "reason",
          points: made.get(square) ?? 0,
          reasons: (numbered.get(square) ?? []).join(" "),
        },
      ]),
    ),
    others: otherGardens(reasons),
  };
}

function partsOf(turn: Turn, staging: Staging): ReadonlyMap<Square, HintedPart> {
  const parts = new Map<Square, HintedPart>();
  const { preview = staging.garden } = staging.stage(turn) ?? {};
  // The walk of the staged noble is drawn already.
  const ways =
    turn.noble !== null &&
    turn.noble !== staging.value("noble") &&
    walk({ ...preview, nobles: staging.garden.nobles }, columnOf(turn.noble), turn.noble);
  for (const square of ways || []) parts.set(square, "walk");
  if (turn.boar !== null && turn.boar !== LEAVES) parts.set(turn.boar, "boar");
  if (turn.noble !== null) parts.set(turn.noble, "stop");
  // A noble may stop on the tile, which is no longer to be suggested once it lies there.
  const laid = staging.tile !== null && squareOf(staging.tile) === turn.square;
  if (!laid || turn.noble !== turn.square) parts.set(turn.square, "tile");
  return parts;
}

/** The numbers of the reasons by square: in the viewer's garden, or in that of a seat. */
function reasonNumbers(
  reasons: Hint["reasons"],
  garden: number | null = null,
): ReadonlyMap<Square, readonly number[]> {
  const numbered = new Map<Square, number[]>();
  reasons.forEach(({ seat, squares }, index) => {
    if (seat !== garden) return;
    for (const square of squares.filter(isSquare))
      numbered.set(square, [...(numbered.get(square) ?? []), index + 1]);
  });
  return numbered;
}

function otherGardens(reasons: Hint["reasons"]): ReadonlyMap<number, ReadonlyMap<Square, string>> {
  const seats = new Set(reasons.flatMap(({ seat }) => (seat === null ? [] : [seat])));
  return new Map(
    [...seats].map((seat) => [
      seat,
      new Map([...reasonNumbers(reasons, seat)].map(([square, numbers]) => [square, numbers.join(" ")])),
    ]),
  );
}
