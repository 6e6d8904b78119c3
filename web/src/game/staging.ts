/**
 * The turn that is being put together: card, space, square, boar, noble, in any order that makes sense.
 *
 * Every value comes from the view's `options`. What leaves no choice is filled in by itself. Nothing is sent before
 * the turn is complete and confirmed, so every step can be taken back.
 *
 * A step must fit all steps before it. Whoever chooses another value for a step that was taken goes back to it in
 * time: what was chosen afterwards stays if it still fits. A card that can be played at all can always be chosen: the
 * tile, its square, boar and noble stay as far as they fit it, and what does not is dropped.
 */

import { after, gardenOf, type Change, type Garden } from "./garden";
import {
  asSpace,
  asTile,
  isCard,
  isGardener,
  isGoal,
  isSpace,
  isSquare,
  squareOf,
  writeTurn,
  type Card,
  type Goal,
  type Space,
  type Square,
  type Tile,
  type Turn,
} from "./notation";
import { boarPoints, markPoints, neverBelowZero, type TurnPoints } from "./points";
import type { TableView } from "../net/types";
import {
  accepts,
  allFit,
  STEP_KINDS,
  NO_NOBLE,
  choicesFor,
  stepsOf,
  stopsOf,
  tileAfter,
  withFitting,
  valueIn,
  placementsOf,
  type StagingContext,
  type StepKind,
  type Step,
  type Steps,
  type Values,
} from "./tilePlacements";

export { STEP_KINDS, NO_NOBLE, type StepKind, type Step, type Steps, type Values } from "./tilePlacements";

/** What a turn is staged on: a table's view, or the position of a lesson. */
export type TurnView = Pick<TableView, "table" | "game" | "options"> & {
  readonly you: Pick<TableView["you"], "seat" | "chair">;
} & Partial<Pick<TableView, "stage" | "ending" | "chairs">>;

/** A staged turn as it is kept over a reload. */
export interface SavedStaging {
  readonly table: string;
  readonly seat: number;
  readonly turn: number;
  readonly past: readonly Steps[];
}

/** Why a saved turn could not be staged again; keys for words. */
const DROP_REASONS = ["broken", "other_table", "turn_over", "not_your_turn", "not_possible"] as const;
export type DropReason = (typeof DROP_REASONS)[number];
export interface Restored {
  /** Empty if something was dropped; null if there is no turn to stage. */
  readonly staging: Staging | null;
  readonly dropped: DropReason | null;
}

export class Staging {
  private constructor(
    private readonly context: StagingContext,
    /** All that was chosen, as it stood after each step that a person took; the last is how it stands now. */
    private readonly past: readonly Steps[],
  ) {}

  /** Nothing chosen yet; null if the viewer has no turn to choose. */
  static begin(view: TurnView): Staging | null {
    const context = contextOf(view);
    return context && new Staging(context, []);
  }

  /** A staged turn on a newer view of the table, or an empty one and why what was saved was dropped. */
  static from(saved: unknown, view: TurnView): Restored {
    const empty = Staging.begin(view);
    if (!isSaved(saved)) return { staging: empty, dropped: "broken" };
    if (saved.table !== view.table) return { staging: empty, dropped: "other_table" };
    if (saved.turn !== view.game?.turn || saved.seat !== view.you.seat) {
      return { staging: empty, dropped: "turn_over" };
    }
    if (empty === null) return { staging: null, dropped: "not_your_turn" };
    if (!saved.past.every((steps) => allFit(empty.context, steps)))
      return { staging: empty, dropped: "not_possible" };
    return { staging: new Staging(empty.context, saved.past), dropped: null };
  }

  /** The same turn on a newer view of the table. */
  onto(view: TurnView): Restored {
    return Staging.from(this.toJSON(), view);
  }

  toJSON(): SavedStaging {
    const { table, seat, turn } = this.context;
    return { table, seat, turn, past: this.past };
  }

  /** What a person has chosen, in the order of choosing. */
  get steps(): Steps {
    return this.past.at(-1) ?? [];
  }

  /** Whether there is a step to take back. */
  get begun(): boolean {
    return this.past.length > 0;
  }

  /** How it stood before the step of a kind was taken; as it is, if none was. */
  rewound(kind: StepKind): Staging {
    return new Staging(this.context, [this.earlier(kind)]);
  }

  /** What may be chosen now; of a step that was taken already, what may be chosen instead. */
  choices<K extends StepKind>(kind: K): readonly Values[K][] {
    return choicesFor(this.context, this.earlier(kind), kind) as readonly Values[K][];
  }

  can(step: Step): boolean {
    return accepts(this.context, this.kept(step), step);
  }

  /** Take a step; what cannot be chosen throws. */
  choose(step: Step): Staging {
    if (this.value(step.kind) === step.value) return this;
    if (!this.can(step)) throw new RangeError(`${step.kind} ${step.value} cannot be chosen now`);
    const kept = this.kept(step);
    const later = this.lying(step.kind).filter((one) => !kept.includes(one));
    return this.pushed(withFitting(this.context, [...kept, step], later));
  }

  /** What lies there and is put back if a step is taken, in the order of a turn. */
  dropped(step: Step): readonly StepKind[] {
    const after = this.choose(step);
    const lying = this.lying(step.kind).map(({ kind }) => kind);
    return STEP_KINDS.filter((kind) => lying.includes(kind) && after.value(kind) !== this.value(kind));
  }

  /** Stage a whole turn at once, as one step; null if it is not legal. */
  stage(turn: Turn): Staging | null {
    const staged = new Staging(this.context, [withFitting(this.context, [], stepsOf(turn))]);
    return staged.turn === writeTurn(turn) ? this.pushed(staged.steps) : null;
  }

  /** Take back the last step. */
  undo(): Staging {
    return new Staging(this.context, this.past.slice(0, -1));
  }

  reset(): Staging {
    return new Staging(this.context, []);
  }

  /** What is chosen, or left without a choice; null if that is open, or the boar is not disturbed. */
  value<K extends StepKind>(kind: K): Values[K] | null {
    const chosen = valueIn(this.steps, kind);
    if (chosen !== null) return chosen;
    const left = choicesFor(this.context, this.steps, kind);
    return left.length === 1 ? (left[0] as Values[K]) : null;
  }

  /** Whether a value was filled in because there was no choice. */
  forced(kind: StepKind): boolean {
    return valueIn(this.steps, kind) === null && this.value(kind) !== null;
  }

  /** The square where the tile will lie, with a `g` as a gardener; null while several are possible. */
  get tile(): Tile | null {
    return tileAfter(this.context, this.steps);
  }

  /** Whether the tile will lie on the boar. */
  get disturbs(): boolean {
    return this.tile !== null && this.tile in this.context.options.boar;
  }

  /** Where a noble may stop, with its points; nothing before it is clear where the tile lies. */
  get stops(): ReadonlyMap<Square, number> {
    return stopsOf(this.context.options, this.tile);
  }

  /** The spaces from which a card may take, whatever else is chosen. */
  takes(card: Card): readonly Space[] {
    return (this.context.options.cards[card] ?? []).map(asSpace);
  }

  /** The tiles that may come of a space, whatever else is chosen: for pointing at it. */
  tilesOf(space: Space): readonly Tile[] {
    return (this.context.options.spaces[space] ?? []).map(asTile);
  }

  /** What has to be chosen next; null when the turn is complete. */
  get need(): StepKind | null {
    const open = STEP_KINDS.filter((kind) => kind !== "boar" || this.disturbs);
    return open.find((kind) => this.value(kind) === null) ?? null;
  }

  get complete(): boolean {
    return this.need === null;
  }

  /** The turn as it is sent; null until it is complete. */
  get turn(): string | null {
    const [card, space, square] = [this.value("card"), this.value("space"), this.value("square")];
    const change = this.change;
    if (!this.complete || card === null || space === null || square === null || change === null) return null;
    return writeTurn({ card, space, square, gardener: change.gardener, boar: this.goal, noble: this.stop });
  }

  /** What the garden preview shows of it; null before it is clear where the tile lies. */
  get change(): Change | null {
    if (this.tile === null) return null;
    return {
      square: squareOf(this.tile),
      gardener: isGardener(this.tile),
      boar: this.goal,
      noble: this.stop,
    };
  }

  /** The garden as it is. */
  get garden(): Garden {
    return this.context.garden;
  }

  /** The garden as it would be. */
  get preview(): Garden {
    return this.change === null ? this.context.garden : after(this.context.garden, this.change);
  }

  /** What is scored so far, in the order of R38: the reward, the boar, the noble. */
  get points(): TurnPoints {
    const tile = this.tile;
    if (tile === null) return { nobles: 0, rewards: 0, boar: 0, total: 0 };
    const mark = this.context.garden.rewards?.get(squareOf(tile));
    const rewards =
      mark === undefined ? 0 : neverBelowZero(markPoints(mark, isGardener(tile)), this.context.score);
    const boar = boarPoints(this.disturbs, this.goal);
    const nobles = this.stop === null ? 0 : (this.stops.get(this.stop) ?? 0);
    return { nobles, rewards, boar, total: nobles + rewards + boar };
  }

  private get goal(): Goal | null {
    return this.disturbs ? this.value("boar") : null;
  }

  private get stop(): Square | null {
    const noble = this.value("noble");
    return noble === NO_NOBLE ? null : noble;
  }

  /** What a step must fit. A card must fit nothing that can be put back. */
  private kept(step: Step): Steps {
    const earlier = this.earlier(step.kind);
    return step.kind !== "card" || accepts(this.context, earlier, step) ? earlier : [];
  }

  /** All steps but that of a kind; for another card also the tile that was taken because the old one left no choice. */
  private lying(kind: StepKind): Steps {
    const others = this.steps.filter((step) => step.kind !== kind);
    const space = this.value("space");
    if (kind !== "card" || space === null || valueIn(others, "space") !== null) return others;
    const rest = others.findIndex((step) => step.kind === "boar" || step.kind === "noble");
    return others.toSpliced(rest < 0 ? others.length : rest, 0, { kind: "space", value: space });
  }

  /** The steps that were taken before the one of a kind; all, if there is none. */
  private earlier(kind: StepKind): Steps {
    const taken = this.steps.findIndex((step) => step.kind === kind);
    return taken < 0 ? this.steps : this.steps.slice(0, taken);
  }

  private pushed(steps: Steps): Staging {
    return new Staging(this.context, [...this.past, steps]);
  }
}

function contextOf(view: TurnView): StagingContext | null {
  const { game, options } = view;
  const seat = view.you.seat;
  const garden = seat === null ? undefined : game?.gardens[seat];
  const score = seat === null ? undefined : game?.scores[seat];
  if (seat === null || !game || !options || !garden || !score) return null;
  const placements = placementsOf(options);
  return {
    table: view.table,
    seat,
    turn: game.turn,
    options,
    placements,
    garden: gardenOf(garden),
    score: score.total,
  };
}

/** What comes out of a browser's storage may be anything. */
function isSaved(saved: unknown): saved is SavedStaging {
  if (!isObject(saved) || !Array.isArray(saved["past"])) return false;
  const named = typeof saved["table"] === "string";
  const counted = typeof saved["seat"] === "number" && typeof saved["turn"] === "number";
  return named && counted && saved["past"].every((steps) => Array.isArray(steps) && steps.every(isStep));
}

function isStep(step: unknown): step is Step {
  if (!isObject(step)) return false;
  const value = step["value"];
  switch (step["kind"]) {
    case "card":
      return isCard(value);
    case "space":
      return isSpace(value);
    case "square":
      return isSquare(value);
    case "boar":
      return isGoal(value);
    case "noble":
      return value === NO_NOBLE || isSquare(value);
    default:
      return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
