/** What a turn scores, by part, for the preview. */

import { LEAVES, type Goal, type Mark } from "./notation";

export interface TurnPoints {
  readonly nobles: number;
  readonly rewards: number;
  readonly boar: number;
  readonly total: number;
}

/** R30–R32: the points of a reward mark under a tile. */
export function markPoints(mark: Mark, gardener: boolean): number {
  if (mark === "g3") return gardener ? 3 : 0;
  const points = Number(mark);
  return points > 0 && gardener ? 0 : points;
}

/** R32: a loss never takes a score below 0. */
export function neverBelowZero(points: number, score: number): number {
  return Math.max(points, -score);
}

/** R35, R36: 1 for a tile on the boar, 3 more if it leaves. */
export function boarPoints(disturbed: boolean, goal: Goal | null): number {
  if (!disturbed) return 0;
  return goal === LEAVES ? 4 : 1;
}
