/**
 * The pieces from which a turn is put together, and how they fit: tables walked in any order.
 *
 * A way is a card, a space that it takes from, and a square where that space's tile may lie. Where the boar goes and
 * where a noble stops depends on the tile alone, so both can be chosen once all ways left have the same tile.
 */

import type { Garden } from "./garden";
import {
  asCard,
  asGoal,
  asSpace,
  asSquare,
  asTile,
  CARDS,
  SPACES,
  squareOf,
  SQUARES,
  type Card,
  type Goal,
  type Space,
  type Square,
  type Tile,
  type Turn,
} from "./notation";
import type { Options } from "../net/types";

/** What there is to choose, in the order of a turn (R14). */
export const KINDS = ["card", "space", "square", "boar", "noble"] as const;
export type Kind = (typeof KINDS)[number];

/** No noble moves. */
export const NO_NOBLE = "none";

export interface Values {
  readonly card: Card;
  readonly space: Space;
  readonly square: Square;
  readonly boar: Goal;
  readonly noble: Square | typeof NO_NOBLE;
}

export type Step = { [K in Kind]: { readonly kind: K; readonly value: Values[K] } }[Kind];
export type Steps = readonly Step[];

interface Way {
  readonly card: Card;
  readonly space: Space;
  readonly square: Square;
  readonly tile: Tile;
}

/** What a turn is staged on. */
export interface Ground {
  readonly table: string;
  readonly seat: number;
  /** How many turns have been played: it names this turn. */
  readonly turn: number;
  readonly options: Options;
  readonly ways: readonly Way[];
  readonly garden: Garden;
  readonly score: number;
}

export function waysOf(options: Options): readonly Way[] {
  return Object.entries(options.cards).flatMap(([card, spaces]) =>
    spaces.flatMap((space) =>
      (options.spaces[space] ?? []).map(asTile).map((tile) => {
        return { card: asCard(card), space: asSpace(space), square: squareOf(tile), tile };
      }),
    ),
  );
}

/** What may be chosen of a kind after some steps, in a fixed order. */
export function offered(ground: Ground, steps: Steps, kind: Kind): readonly Values[Kind][] {
  if (kind === "boar") return goalsOf(ground.options, tileAfter(ground, steps));
  if (kind === "noble") {
    const tile = tileAfter(ground, steps);
    return tile === null ? [] : [NO_NOBLE, ...stopsOf(ground.options, tile).keys()];
  }
  const left = new Set<Values[Kind]>(waysLeft(ground, steps).map((way) => way[kind]));
  return ORDERED[kind].filter((value) => left.has(value));
}

const ORDERED = { card: CARDS, space: SPACES, square: SQUARES } as const satisfies Partial<
  Record<Kind, readonly Values[Kind][]>
>;

export function accepts(ground: Ground, steps: Steps, step: Step): boolean {
  return offered(ground, steps, step.kind).includes(step.value);
}

/** Whether steps can be taken one after the other, each kind once. */
export function fit(ground: Ground, steps: Steps): boolean {
  return together(ground, [], steps).length === steps.length;
}

/** Some steps, and of the later ones those that can still be taken. */
export function together(ground: Ground, steps: Steps, later: Steps): Steps {
  return later.reduce((taken, step) => {
    const fits = valueIn(taken, step.kind) === null && accepts(ground, taken, step);
    return fits ? [...taken, step] : taken;
  }, steps);
}

/** The tile that all ways left have in common; null if they have not. */
export function tileAfter(ground: Ground, steps: Steps): Tile | null {
  const tiles = new Set(waysLeft(ground, steps).map((way) => way.tile));
  const [tile] = tiles;
  return tiles.size === 1 && tile !== undefined ? tile : null;
}

/** Where the boar may go when a tile is laid; nothing if the tile does not disturb it. */
function goalsOf(options: Options, tile: Tile | null): readonly Goal[] {
  return tile === null ? [] : (options.boar[tile] ?? []).map(asGoal);
}

/** Where a noble may stop when a tile is laid, with its points. */
export function stopsOf(options: Options, tile: Tile | null): ReadonlyMap<Square, number> {
  const stops = tile === null ? {} : (options.stops[tile] ?? {});
  return new Map(Object.entries(stops).map(([stop, points]) => [asSquare(stop), points]));
}

export function valueIn<K extends Kind>(steps: Steps, kind: K): Values[K] | null {
  const found = steps.find((step) => step.kind === kind);
  return found === undefined ? null : (found.value as Values[K]);
}

/** The steps of a whole turn, in their order. */
export function stepsOf(turn: Turn): Steps {
  return [
    { kind: "card", value: turn.card },
    { kind: "space", value: turn.space },
    { kind: "square", value: turn.square },
    ...(turn.boar === null ? [] : [{ kind: "boar", value: turn.boar } as const]),
    { kind: "noble", value: turn.noble ?? NO_NOBLE },
  ];
}

function waysLeft(ground: Ground, steps: Steps): readonly Way[] {
  return ground.ways.filter((way) => steps.every((step) => agrees(way, step)));
}

/** Boar and noble are chosen when all ways left have the same tile, and so agree with all of them. */
function agrees(way: Way, step: Step): boolean {
  return step.kind === "boar" || step.kind === "noble" || way[step.kind] === step.value;
}
