/** A hint as it is drawn: the card, the space, the squares with their points, the walk, and where its reasons lie. */
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
} from "./notation";
import { pointsMade } from "./animation";
import type { TurnPoints } from "./points";
import type { Hint } from "../net/types";
import type { Staging } from "./staging";

/** A turn that was found good. */
export interface Candidate {
  readonly text: string;
  readonly turn: Turn;
  /** What it scores at once. */
  readonly points: TurnPoints;
  /** Points at the end, and the share of the win, as expected. */
  readonly score: number;
  readonly share: number;
  /** Whether it is about as good as the best. */
  readonly level: boolean;
}

export type HintedPart = "tile" | "boar" | "stop" | "walk" | "reason";

export interface HintedSquare {
  readonly part: HintedPart;
  /** What is scored here; 0 if nothing is. */
  readonly points: number;
  /** The numbers of the reasons that speak of it, from 1: `1 3`. */
  readonly reasons: string;
}

export interface HintOverlay {
  readonly card: Card;
  readonly space: Space;
  /** In the own garden. */
  readonly squares: ReadonlyMap<Square, HintedSquare>;
  /** In the gardens of others, by seat: squares with the numbers of the reasons that speak of them. */
  readonly others: ReadonlyMap<number, ReadonlyMap<Square, string>>;
}

/** The turns of a hint that can be staged: the best first, then the others as much as is expected of them. */
export function candidatesOf(hint: Hint, staging: Staging): readonly Candidate[] {
  const others = [...hint.others].sort((one, other) => other.score - one.score || other.share - one.share);
  return [hint.expected, ...others].flatMap(({ turn: text, score, share, level }) => {
    const turn = parseTurn(text);
    const points = turn && staging.stage(turn)?.points;
    return points ? [{ text, turn, points, score, share, level }] : [];
  });
}

/** How a candidate is drawn; the reasons are those of the best one. */
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
  const ways =
    turn.noble && walk({ ...preview, nobles: staging.garden.nobles }, columnOf(turn.noble), turn.noble);
  for (const square of ways ?? []) parts.set(square, "walk");
  if (turn.boar !== null && turn.boar !== LEAVES) parts.set(turn.boar, "boar");
  if (turn.noble !== null) parts.set(turn.noble, "stop");
  parts.set(turn.square, "tile");
  return parts;
}

/** The numbers of the reasons by the squares that they speak of: in the own garden, or in that of a seat. */
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
