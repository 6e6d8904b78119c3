/** How the squares of a garden look: what is on them, what may be done with them, what has just happened there. */
import type { HintedPart, HintedSquare } from "./hintOverlay";
import type { Garden } from "./garden";
import { COLUMNS, ROWS, squareAt, type Column, type Mark, type Row, type Square } from "./notation";

/** What choosing a square would do. */
export type Target =
  { readonly kind: "structure" | "gardener" | "boar" } | { readonly kind: "stop"; readonly points: number };

export interface SquareView {
  readonly square: Square;
  readonly column: Column;
  readonly row: Row;
  readonly ground: "free" | "structure" | "gardener";
  readonly printed: boolean;
  readonly connected: boolean;
  /** The sides on which the walkway runs on to a neighbour, of `nesw`. */
  readonly joins: string;
  readonly noble: boolean;
  readonly boar: boolean;
  readonly mark: Mark | null;
  readonly target: Target | null;
  /** Whether what is shown here is only what the staged turn would do. */
  readonly staged: boolean;
  /** Whether the staged tile lies here. */
  readonly laid: boolean;
  /** After how many milliseconds the light reaches it that runs along the path; null if it does not run. */
  readonly lit: number | null;
  /** Whether it is on the way of the noble that is shown walking. */
  readonly walked: boolean;
  readonly changed: boolean;
  /** Whether a noble would stop here, if no gardener was at work. */
  readonly barred: boolean;
  /** Whether the tile belongs here at which somebody points. */
  readonly pointed: boolean;
  /** What a hint would do here, or that it speaks of it. */
  readonly hinted: HintedPart | null;
  readonly hintPoints: number;
  readonly reasons: string;
}

/** All that a garden's squares can show beside what stands on them. */
export interface Overlay {
  readonly connected: ReadonlySet<Square>;
  readonly targets?: ReadonlyMap<Square, Target>;
  readonly staged?: ReadonlySet<Square>;
  readonly laid?: Square | null;
  readonly lit?: ReadonlyMap<Square, number>;
  readonly walk?: readonly Square[];
  /** Where that began; null on the terrace. */
  readonly from?: Square | null;
  /** The noble that walks now, and stands nowhere. */
  readonly walking?: Column | null;
  readonly changed?: ReadonlySet<Square>;
  readonly barred?: ReadonlySet<Square>;
  readonly pointed?: Square | null;
  readonly hint?: ReadonlyMap<Square, HintedSquare>;
}

/** Whether anything is drawn above the square. */
export function hasMarkers({ target, staged, lit, barred, pointed, hinted }: SquareView): boolean {
  return staged || barred || pointed || target !== null || lit !== null || hinted !== null;
}

/** Row by row from the palace, each from left to right. */
export function squareViews(garden: Garden, overlay: Overlay): readonly (readonly SquareView[])[] {
  return ROWS.map((row) => COLUMNS.map((column) => squareView(garden, overlay, column, row)));
}

/** The same looks, but a square that looks as it did `before` keeps its value, so that it is not drawn again. */
export function keepUnchanged(
  before: readonly (readonly SquareView[])[],
  now: readonly (readonly SquareView[])[],
): readonly (readonly SquareView[])[] {
  return now.map((row, index) =>
    row.map((view, column) => {
      const old = before[index]?.[column];
      return old !== undefined && isSame(old, view) ? old : view;
    }),
  );
}

function isSame(one: SquareView, other: SquareView): boolean {
  const { target: ring, ...rest } = one;
  const { target, ...others } = other;
  return (
    isEqual(rest, others) && (ring === target || (ring !== null && target !== null && isEqual(ring, target)))
  );
}

/** Whether two things have the same values. */
function isEqual<T extends object>(one: T, other: T): boolean {
  const keys = Object.keys(one) as (keyof T)[];
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

function squareView(garden: Garden, overlay: Overlay, column: Column, row: Row): SquareView {
  const square = squareAt(column, row);
  return {
    square,
    column,
    row,
    ground: garden.gardeners.has(square) ? "gardener" : garden.built.has(square) ? "structure" : "free",
    printed: garden.printed.has(square),
    connected: overlay.connected.has(square),
    joins: garden.built.has(square) ? joins(garden, column, row) : "",
    noble: garden.nobles.get(column) === square && overlay.walking !== column,
    boar: garden.boar === square,
    mark: garden.rewards?.get(square) ?? null,
    target: overlay.targets?.get(square) ?? null,
    staged: overlay.staged?.has(square) ?? false,
    laid: overlay.laid === square,
    lit: overlay.lit?.get(square) ?? null,
    walked: overlay.walk?.includes(square) ?? false,
    changed: overlay.changed?.has(square) ?? false,
    barred: overlay.barred?.has(square) ?? false,
    pointed: overlay.pointed === square,
    hinted: overlay.hint?.get(square)?.part ?? null,
    hintPoints: overlay.hint?.get(square)?.points ?? 0,
    reasons: overlay.hint?.get(square)?.reasons ?? "",
  };
}

const SIDES = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] } as const;

/** R20: every built square is open on all four sides, a gardener's too; in row 1 the terrace is above. */
function joins(garden: Garden, column: Column, row: Row): string {
  const open = Object.entries(SIDES).filter(([, [right, down]]) => {
    const letter = COLUMNS[COLUMNS.indexOf(column) + right];
    return (
      row + down === 0 || (letter !== undefined && garden.built.has(squareAt(letter, (row + down) as Row)))
    );
  });
  return open.map(([side]) => side).join("");
}
