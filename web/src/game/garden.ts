/** A garden for drawing: what is built, where nobles stand, what is connected. The server decides what is legal. */

import {
  asSquare,
  COLUMNS,
  columnOf,
  LEAVES,
  ROWS,
  rowOf,
  squareAt,
  SQUARES,
  type Column,
  type Goal,
  type Mark,
  type Row,
  type Square,
} from "./notation";
import type { GardenView } from "../net/types";

export interface Garden {
  readonly printed: ReadonlySet<Square>;
  /** Printed squares, structures and gardeners. */
  readonly built: ReadonlySet<Square>;
  readonly gardeners: ReadonlySet<Square>;
  /** A column that is missing here has its noble on the terrace. */
  readonly nobles: ReadonlyMap<Column, Square>;
  readonly boar: Square | null;
  /** The marks of the reward board; null without that expansion. */
  readonly rewards: ReadonlyMap<Square, Mark> | null;
}

/** What a turn, or part of one, changes in a garden. */
export interface Change {
  readonly square: Square;
  readonly gardener: boolean;
  /** Where the boar goes; null or missing if it stays, or if that is still open. */
  readonly boar?: Goal | null;
  readonly noble?: Square | null;
}

export function gardenOf(view: GardenView): Garden {
  const nobles = view.nobles.map(asSquare);
  const marks = view.rewards && Object.entries(view.rewards);
  return {
    printed: new Set(view.printed.map(asSquare)),
    built: new Set(view.built.map(asSquare)),
    gardeners: new Set(view.gardeners.map(asSquare)),
    nobles: new Map(nobles.map((square) => [columnOf(square), square])),
    boar: view.boar === null ? null : asSquare(view.boar),
    rewards: marks ? new Map(marks.map(([square, mark]) => [asSquare(square), mark as Mark])) : null,
  };
}

const NEIGHBOURS: ReadonlyMap<Square, readonly Square[]> = new Map(
  SQUARES.map((square) => [square, neighboursOf(square)]),
);

/** The squares that touch one along an edge: below, left, right, above. */
export function neighbours(square: Square): readonly Square[] {
  return NEIGHBOURS.get(square) ?? [];
}

function neighboursOf(square: Square): Square[] {
  const column = COLUMNS.indexOf(columnOf(square));
  const row = rowOf(square);
  const places: [number, number][] = [
    [column, row + 1],
    [column - 1, row],
    [column + 1, row],
    [column, row - 1],
  ];
  return places.flatMap(([x, y]) => {
    const found = COLUMNS[x];
    return found !== undefined && ROWS.some((known) => known === y) ? [squareAt(found, y as Row)] : [];
  });
}

/** The row in which the noble of a column stands; 0 is the terrace. */
export function rowOfNoble(garden: Garden, column: Column): Row | 0 {
  const square = garden.nobles.get(column);
  return square === undefined ? 0 : rowOf(square);
}

/** R20: the built squares connected to the terrace through row 1. */
export function connected(garden: Garden): ReadonlySet<Square> {
  const doors = COLUMNS.map((column) => squareAt(column, 1)).filter((door) => garden.built.has(door));
  const reached = new Set(doors);
  for (const square of reached) {
    for (const next of neighbours(square)) if (garden.built.has(next)) reached.add(next); // a Set visits what is added
  }
  return reached;
}

/** The squares that are connected now and were not before. */
export function newlyConnected(before: Garden, later: Garden): ReadonlySet<Square> {
  const known = connected(before);
  return new Set([...connected(later)].filter((square) => !known.has(square)));
}

/** The order in which newly connected squares light up: steps along the path from the connected part or the terrace. */
export function lightRun(before: Garden, later: Garden): ReadonlyMap<Square, number> {
  const known = connected(before);
  const woken = newlyConnected(before, later);
  const first = [...woken].filter(
    (square) => rowOf(square) === 1 || neighbours(square).some((next) => known.has(next)),
  );
  const steps = new Map(first.map((square) => [square, 0]));
  for (const [square, step] of steps) {
    for (const next of neighbours(square)) if (woken.has(next) && !steps.has(next)) steps.set(next, step + 1);
  }
  return steps;
}

/**
 * R20: a shortest walk of a noble to a stop, including the stop; null if there is none. From the terrace the noble enters
 * through the door of its own column.
 */
export function walk(garden: Garden, column: Column, stop: Square): readonly Square[] | null {
  const start = garden.nobles.get(column);
  const door = squareAt(column, 1);
  if (start === stop || !garden.built.has(stop)) return null;
  const cameFrom = new Map<Square, Square | null>([[start ?? door, null]]);
  for (const square of cameFrom.keys()) {
    if (square === stop) break;
    for (const next of neighbours(square)) {
      if (garden.built.has(next) && !cameFrom.has(next)) cameFrom.set(next, square);
    }
  }
  return cameFrom.has(stop) ? traced(cameFrom, stop, start) : null;
}

/** R20, R21: the squares a noble can reach below it in its column, including gardeners, from the palace down. */
export function reach(garden: Garden, column: Column): readonly Square[] {
  const below = ROWS.filter((row) => row > rowOfNoble(garden, column)).map((row) => squareAt(column, row));
  return below.filter((square) => walk(garden, column, square) !== null);
}

function traced(
  cameFrom: ReadonlyMap<Square, Square | null>,
  stop: Square,
  start?: Square,
): readonly Square[] {
  const steps: Square[] = [];
  for (let at: Square | null = stop; at !== null; at = cameFrom.get(at) ?? null) steps.unshift(at);
  return start === undefined ? steps : steps.slice(1);
}

/** The garden after one or more changes, in order. */
export function after(garden: Garden, ...changes: readonly Change[]): Garden {
  return changes.reduce(changed, garden);
}

function changed(garden: Garden, { square, gardener, boar = null, noble = null }: Change): Garden {
  return {
    ...garden,
    built: new Set([...garden.built, square]),
    gardeners: gardener ? new Set([...garden.gardeners, square]) : garden.gardeners,
    nobles: noble === null ? garden.nobles : new Map([...garden.nobles, [columnOf(noble), noble]]),
    boar: boar === null ? garden.boar : boar === LEAVES ? null : boar,
  };
}

/** The garden before a turn; `from` is where its noble stood, null on the terrace. */
export function before(
  garden: Garden,
  { square, boar = null, noble = null }: Change,
  from: Square | null,
): Garden {
  const nobles = new Map(garden.nobles);
  if (noble !== null) nobles.delete(columnOf(noble));
  if (from !== null) nobles.set(columnOf(from), from);
  return {
    ...garden,
    built: without(garden.built, square),
    gardeners: without(garden.gardeners, square),
    nobles,
    boar: boar === null ? garden.boar : square, // it was disturbed where the tile lies
  };
}

function without<T>(things: ReadonlySet<T>, one: T): ReadonlySet<T> {
  return new Set([...things].filter((thing) => thing !== one));
}

/** Rows 2 to 6, and the columns. */
const LINES: readonly (readonly Square[])[] = [
  ...ROWS.slice(1).map((row) => COLUMNS.map((column) => squareAt(column, row))),
  ...COLUMNS.map((column) => ROWS.map((row) => squareAt(column, row))),
];

/** The squares of rows 2 to 6 and of columns that are complete in `now` but were not `before` (R25, R26). */
export function completed(before: Garden, now: Garden): ReadonlySet<Square> {
  const isNew = (line: readonly Square[]) =>
    line.every((square) => now.built.has(square)) && !line.every((square) => before.built.has(square));
  return new Set(LINES.filter(isNew).flat());
}
