/** How each square of a garden is drawn: what is on it, what can be chosen, what has just changed. */
import type { HintedPart, HintedSquare } from "./hintOverlay";
import type { Garden } from "./garden";
import {
  COLUMNS,
  columnOf,
  rowOf,
  ROWS,
  squareAt,
  SQUARES,
  type Column,
  type Mark,
  type Row,
  type Square,
} from "./notation";

/** What choosing a square would do. */
export type Target =
  | { readonly kind: "structure" | "gardener" | "boar" }
  /** `best`: no other stop of this noble is worth more, and the staged walk does not pass it. */
  | { readonly kind: "stop"; readonly points: number; readonly best: boolean };

export interface SquareView {
  readonly square: Square;
  readonly column: Column;
  readonly row: Row;
  readonly ground: "free" | "structure" | "gardener";
  readonly connected: boolean;
  /** The sides with a connected neighbour, out of `nesw`. */
  readonly joins: string;
  readonly noble: boolean;
  /** Whether the noble is drawn among the markers: a staged one, and one that a walk passes and would hide. */
  readonly raised: boolean;
  readonly boar: boolean;
  readonly mark: Mark | null;
  readonly target: Target | null;
  /** Whether it shows a preview of the staged turn. */
  readonly staged: boolean;
  /** Whether the staged tile lies here. */
  readonly laid: boolean;
  /** Milliseconds until the light reaches it; null if no light runs. */
  readonly lit: number | null;
  readonly changed: boolean;
  /** Whether its row or column has just been completed. */
  readonly blooms: boolean;
  /** Whether only a gardener keeps a noble from stopping here. */
  readonly blocked: boolean;
  /** Whether the tile pointed at belongs here. */
  readonly pointed: boolean;
  /** What the hint does here, if anything. */
  readonly hinted: HintedPart | null;
  readonly hintPoints: number;
  readonly reasons: string;
}

/** What is drawn on the squares in addition to the pieces. */
export interface Overlay {
  readonly connected: ReadonlySet<Square>;
  readonly targets?: ReadonlyMap<Square, Target>;
  readonly staged?: ReadonlySet<Square>;
  readonly laid?: Square | null;
  readonly lit?: ReadonlyMap<Square, number>;
  readonly walk?: readonly Square[];
  /** Where the walk began; null on the terrace. */
  readonly from?: Square | null;
  /** The noble that is walking, and so is not drawn on a square. */
  readonly walking?: Column | null;
  readonly changed?: ReadonlySet<Square>;
  readonly blooming?: ReadonlySet<Square>;
  readonly blocked?: ReadonlySet<Square>;
  readonly pointed?: Square | null;
  readonly hint?: ReadonlyMap<Square, HintedSquare>;
}

/** Whether markers are drawn above the square. */
export function hasMarkers(view: SquareView): boolean {
  const { target, staged, lit, blocked, blooms, pointed, hinted, raised } = view;
  if (staged || blooms || blocked || pointed || raised) return true;
  return target !== null || lit !== null || hinted !== null;
}

/** Row by row from the palace, each from left to right. */
export function squareViews(garden: Garden, overlay: Overlay): readonly (readonly SquareView[])[] {
  return ROWS.map((row) => COLUMNS.map((column) => squareView(garden, overlay, column, row)));
}

/** Reuses the previous objects of unchanged squares and rows, so that Svelte does not draw them again. */
export function keepUnchanged(
  before: readonly (readonly SquareView[])[],
  now: readonly (readonly SquareView[])[],
): readonly (readonly SquareView[])[] {
  return now.map((row, index) => {
    const old = before[index];
    if (old === undefined) return row;
    const kept = row.map((view, column) => (isSame(old[column]!, view) ? old[column]! : view));
    return kept.every((view, column) => view === old[column]) ? old : kept;
  });
}

function isSame(one: SquareView, other: SquareView): boolean {
  for (const key in one) {
    const name = key as keyof SquareView; // all views have the same fields
    if (one[name] !== other[name] && name !== "target") return false;
  }
  return isSameTarget(one.target, other.target);
}

function isSameTarget(one: Target | null, other: Target | null): boolean {
  if (one?.kind !== "stop" || other?.kind !== "stop") return one?.kind === other?.kind;
  return one.points === other.points && one.best === other.best;
}

function squareView(garden: Garden, overlay: Overlay, column: Column, row: Row): SquareView {
  const square = squareAt(column, row);
  const noble = garden.nobles.get(column) === square && overlay.walking !== column;
  return {
    square,
    column,
    row,
    ground: garden.gardeners.has(square) ? "gardener" : garden.built.has(square) ? "structure" : "free",
    connected: overlay.connected.has(square),
    joins: garden.built.has(square) ? joins(garden, square) : "",
    noble,
    raised: noble && Boolean(overlay.staged?.has(square) || overlay.walk?.includes(square)),
    boar: garden.boar === square,
    mark: garden.rewards?.get(square) ?? null,
    target: targetOf(overlay, square),
    staged: overlay.staged?.has(square) ?? false,
    laid: overlay.laid === square,
    lit: overlay.lit?.get(square) ?? null,
    changed: overlay.changed?.has(square) ?? false,
    blooms: overlay.blooming?.has(square) ?? false,
    blocked: overlay.blocked?.has(square) ?? false,
    pointed: overlay.pointed === square,
    hinted: overlay.hint?.get(square)?.part ?? null,
    hintPoints: overlay.hint?.get(square)?.points ?? 0,
    reasons: overlay.hint?.get(square)?.reasons ?? "",
  };
}

/** A stop on the way of a staged noble is not marked as best: its ring would cross the walk. */
function targetOf({ targets, walk, staged }: Overlay, square: Square): Target | null {
  const target = targets?.get(square) ?? null;
  const passed = target?.kind === "stop" && target.best && walk?.includes(square) && !staged?.has(square);
  return passed ? { ...target, best: false } : target;
}

const OFFSETS = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] } as const;

/** The squares on the sides of each square; null is the terrace. */
const SIDES = new Map(SQUARES.map((square) => [square, sidesOf(square)]));

function sidesOf(square: Square): readonly [side: string, next: Square | null][] {
  return Object.entries(OFFSETS).flatMap(([side, [right, down]]): [string, Square | null][] => {
    const column = COLUMNS[COLUMNS.indexOf(columnOf(square)) + right];
    const row = rowOf(square) + down;
    if (row === 0) return [[side, null]];
    return column === undefined || row > 6 ? [] : [[side, squareAt(column, row as Row)]];
  });
}

/** R20: built squares connect on all four sides, gardeners too; row 1 connects to the terrace. */
function joins({ built }: Garden, square: Square): string {
  let open = "";
  for (const [side, next] of SIDES.get(square)!) if (next === null || built.has(next)) open += side;
  return open;
}
