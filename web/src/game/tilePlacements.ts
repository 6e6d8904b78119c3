/**
 * Which values of a turn fit together.
 *
 * A placement is a card, a space it can take from, and a square where that tile may lie. Each chosen step filters the
 * list of placements. Where the boar goes and where a noble stops depends on the tile alone, so both can be chosen once
 * all remaining placements have the same tile. The list has at most a few hundred elements, so filtering it is fast.
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

/** The steps of a turn, in order (R14). */
export const STEP_KINDS = ["card", "space", "square", "boar", "noble"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** No noble moves. */
export const NO_NOBLE = "none";

export interface Values {
  readonly card: Card;
  readonly space: Space;
  readonly square: Square;
  readonly boar: Goal;
  readonly noble: Square | typeof NO_NOBLE;
}

export type Step = { [K in StepKind]: { readonly kind: K; readonly value: Values[K] } }[StepKind];
export type Steps = readonly Step[];

interface Placement {
  readonly card: Card;
  readonly space: Space;
  readonly square: Square;
  readonly tile: Tile;
}

/** What a turn is staged on. */
export interface StagingContext {
  readonly table: string;
  readonly seat: number;
  /** How many turns have been played; identifies the turn. */
  readonly turn: number;
  readonly options: Options;
  readonly placements: readonly Placement[];
  readonly garden: Garden;
  readonly score: number;
}

export function placementsOf(options: Options): readonly Placement[] {
  return Object.entries(options.cards).flatMap(([card, spaces]) =>
    spaces.flatMap((space) =>
      (options.spaces[space] ?? []).map(asTile).map((tile) => {
        return { card: asCard(card), space: asSpace(space), square: squareOf(tile), tile };
      }),
    ),
  );
}

/** The values of a kind that fit some steps, in a fixed order. */
export function choicesFor(
  context: StagingContext,
  steps: Steps,
  kind: StepKind,
): readonly Values[StepKind][] {
  if (kind === "boar") return goalsOf(context.options, tileAfter(context, steps));
  if (kind === "noble") {
    const tile = tileAfter(context, steps);
    return tile === null ? [] : [NO_NOBLE, ...stopsOf(context.options, tile).keys()];
  }
  const left = new Set<Values[StepKind]>(placementsLeft(context, steps).map((placement) => placement[kind]));
  return ORDERED[kind].filter((value) => left.has(value));
}

const ORDERED = { card: CARDS, space: SPACES, square: SQUARES } as const satisfies Partial<
  Record<StepKind, readonly Values[StepKind][]>
>;

export function accepts(context: StagingContext, steps: Steps, step: Step): boolean {
  return choicesFor(context, steps, step.kind).includes(step.value);
}

/** Whether all steps can be taken in order, each kind once. */
export function allFit(context: StagingContext, steps: Steps): boolean {
  return withFitting(context, [], steps).length === steps.length;
}

/** The steps, followed by those of `later` that still fit. */
export function withFitting(context: StagingContext, steps: Steps, later: Steps): Steps {
  return later.reduce((taken, step) => {
    const fits = valueIn(taken, step.kind) === null && accepts(context, taken, step);
    return fits ? [...taken, step] : taken;
  }, steps);
}

/** The tile that all remaining placements share; null if they differ. */
export function tileAfter(context: StagingContext, steps: Steps): Tile | null {
  const tiles = new Set(placementsLeft(context, steps).map((placement) => placement.tile));
  const [tile] = tiles;
  return tiles.size === 1 && tile !== undefined ? tile : null;
}

/** Where the boar may go after a tile; empty if the tile does not disturb it. */
function goalsOf(options: Options, tile: Tile | null): readonly Goal[] {
  return tile === null ? [] : (options.boar[tile] ?? []).map(asGoal);
}

/** Where a noble may stop after a tile, with its points. */
export function stopsOf(options: Options, tile: Tile | null): ReadonlyMap<Square, number> {
  const stops = tile === null ? {} : (options.stops[tile] ?? {});
  return new Map(Object.entries(stops).map(([stop, points]) => [asSquare(stop), points]));
}

export function valueIn<K extends StepKind>(steps: Steps, kind: K): Values[K] | null {
  const found = steps.find((step) => step.kind === kind);
  return found === undefined ? null : (found.value as Values[K]);
}

/** The steps of a whole turn, in order. */
export function stepsOf(turn: Turn): Steps {
  return [
    { kind: "card", value: turn.card },
    { kind: "space", value: turn.space },
    { kind: "square", value: turn.square },
    ...(turn.boar === null ? [] : [{ kind: "boar", value: turn.boar } as const]),
    { kind: "noble", value: turn.noble ?? NO_NOBLE },
  ];
}

function placementsLeft(context: StagingContext, steps: Steps): readonly Placement[] {
  return context.placements.filter((placement) => steps.every((step) => matches(placement, step)));
}

/** Boar and noble depend on the tile alone, which is certain by then, so they match every placement. */
function matches(placement: Placement, step: Step): boolean {
  return step.kind === "boar" || step.kind === "noble" || placement[step.kind] === step.value;
}
