/**
 * The perspective of the picture on the start page: a garden seen from the terrace of a palace.
 *
 * A place on the ground is given by its distance from the axis (side) and by its depth; both shrink towards the horizon.
 *
 *              horizon, depth ∞
 *     ──────────────── · ────────────────
 *                    ╱ │ ╲
 *     depth 1  ─────╱──│──╲─────
 *     depth 0  ────╱───│───╲────  drawn at its full width
 */

export const AXIS = 590;
export const HORIZON = 330;
/** The height of the viewer above the ground. */
const EYE = 500;
const STEP = 0.6;

/** The scale at a depth. */
export function sizeAt(depth: number): number {
  return 1 / (1 + STEP * depth);
}

/** Where a place is drawn: `side` units from the axis, at a depth, `height` units above the ground. */
export function spot(side: number, depth: number, height = 0): readonly [number, number] {
  const size = sizeAt(depth);
  return [AXIS + side * size, HORIZON + (EYE - height) * size];
}

/** A closed path through places. */
function path(spots: readonly (readonly [number, number])[]): string {
  return `M${spots.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

/** A bed on the ground, between two sides and two depths. */
export function bed(left: number, right: number, near: number, far: number): string {
  return path([spot(left, near), spot(right, near), spot(right, far), spot(left, far)]);
}

/** An ellipse on the ground. */
export function ring(side: number, depth: number, width: number, length: number): string {
  const turns = Array.from({ length: 36 }, (_, index) => (index * Math.PI) / 18);
  return path(turns.map((turn) => spot(side + width * Math.cos(turn), depth + length * Math.sin(turn))));
}

/** A clipped hedge along the axis. */
export function hedge(side: number, near: number, far: number, height: number): string {
  return path([spot(side, near), spot(side, far), spot(side, far, height), spot(side, near, height)]);
}
