/**
 * The turn that is being staged: card, space, square, boar and noble, chosen in any order that makes sense.
 *
 * Every value comes from the view's `options`, and a value without an alternative is filled in. Nothing is sent before
 * the turn is complete and confirmed, so every step can be undone.
 *
 * A Staging is immutable. It keeps the list of chosen steps after each action:
 *
 *     history   []  [card]  [card, space]  [card, space, square]
 *                                           └ current; undo drops it
 *
 * Each step must fit the steps chosen before it. Choosing another value for a step rewinds to that step and then applies
 * the later ones again as far as they fit. The card is an exception: any playable card can always be chosen, because
 * players compare cards for the same tile. The other steps stay as far as they fit the new card.
 *
 *     [card c, space 4, square e4, noble e4]     chosen: another square, f4
 *     [card c, space 4]                          the steps before it, which f4 must fit
 *     [card c, space 4, square f4]               the noble e4 no longer fits and is dropped
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
} & Partial<Pick<TableView, "stage" | "ending" | "chairs" | "paused">>;

/** A staged turn as saved in the browser. The field names are a storage format. */
export interface SavedStaging {
  readonly table: string;
  readonly seat: number;
  readonly turn: number;
  readonly past: readonly Steps[];
}

/** Why a saved turn could not be staged again. */
export type DropReason = "broken" | "other_table" | "turn_over" | "not_your_turn" | "not_possible";

export interface Restored {
  /** Empty if the saved turn was dropped; null if there is no turn to stage. */
  readonly staging: Staging | null;
  readonly dropped: DropReason | null;
}

export class Staging {
  private constructor(
    private readonly context: StagingContext,
    /** The chosen steps after each action of the user; the last element is the current state, and undo drops it. */
    private readonly past: readonly Steps[],
  ) {}

  /** Nothing chosen yet; null if the viewer has no turn to play. */
  static begin(view: TurnView): Staging | null {
    const context = contextOf(view);
    return context && new Staging(context, []);
  }

  /** Restores a saved turn on a view. If it no longer fits, starts empty and says why. */
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

  toJSON(): SavedStaging {
    const { table, seat, turn } = this.context;
    return { table, seat, turn, past: this.past };
  }

  /** The steps that the user chose, in that order. Values that were filled in are not among them. */
  get steps(): Steps {
    return this.past.at(-1) ?? [];
  }

  /** Whether there is a step to undo. */
  get begun(): boolean {
    return this.past.length > 0;
  }

  /** The state before the step of a kind was chosen; unchanged if there is none. */
  rewound(kind: StepKind): Staging {
    return new Staging(this.context, [this.earlier(kind)]);
  }

  /** The values that can be chosen now, or chosen instead if the step was already taken. */
  choices<K extends StepKind>(kind: K): readonly Values[K][] {
    return choicesFor(this.context, this.earlier(kind), kind) as readonly Values[K][];
  }

  can(step: Step): boolean {
    return accepts(this.context, this.stepsBefore(step), step);
  }

  /** Throws a RangeError if the step cannot be chosen. */
  choose(step: Step): Staging {
    if (this.value(step.kind) === step.value) return this;
    if (!this.can(step)) throw new RangeError(`${step.kind} ${step.value} cannot be chosen now`);
    const before = this.stepsBefore(step);
    // The later steps are chosen again as far as they fit, in their old order.
    const later = this.otherSteps(step.kind).filter((one) => !before.includes(one));
    return this.withState(withFitting(this.context, [...before, step], later));
  }

  /** The kinds of steps that choosing this one would discard, in the order of a turn. */
  dropped(step: Step): readonly StepKind[] {
    const after = this.choose(step);
    const others = this.otherSteps(step.kind).map(({ kind }) => kind);
    // A step whose value is the only one left counts as kept, so values are compared and not the lists of steps.
    return STEP_KINDS.filter((kind) => others.includes(kind) && after.value(kind) !== this.value(kind));
  }

  /** Stage a whole turn as one step; null if it is illegal. */
  stage(turn: Turn): Staging | null {
    const staged = new Staging(this.context, [withFitting(this.context, [], stepsOf(turn))]);
    // Steps that do not fit were left out, so an illegal turn comes out different or incomplete.
    return staged.turn === writeTurn(turn) ? this.withState(staged.steps) : null;
  }

  undo(): Staging {
    return new Staging(this.context, this.past.slice(0, -1));
  }

  /** The chosen value, or the only one left; null if it is still open, or the boar is not disturbed. */
  value<K extends StepKind>(kind: K): Values[K] | null {
    const chosen = valueIn(this.steps, kind);
    if (chosen !== null) return chosen;
    const left = choicesFor(this.context, this.steps, kind);
    return left.length === 1 ? (left[0] as Values[K]) : null;
  }

  /** Whether the value was filled in because only one was left. */
  forced(kind: StepKind): boolean {
    return valueIn(this.steps, kind) === null && this.value(kind) !== null;
  }

  /** Where the tile will lie, with a `g` for a gardener; null while several tiles are possible. */
  get tile(): Tile | null {
    return tileAfter(this.context, this.steps);
  }

  /** Whether the tile will lie on the boar. */
  get disturbs(): boolean {
    return this.tile !== null && this.tile in this.context.options.boar;
  }

  /** Where a noble may stop, with its points; empty until the tile is certain. */
  get stops(): ReadonlyMap<Square, number> {
    return stopsOf(this.context.options, this.tile);
  }

  /** The spaces a card can take from, whatever else is chosen. */
  takes(card: Card): readonly Space[] {
    return (this.context.options.cards[card] ?? []).map(asSpace);
  }

  /** The tiles a space can give, whatever else is chosen; for pointing at it. */
  tilesOf(space: Space): readonly Tile[] {
    return (this.context.options.spaces[space] ?? []).map(asTile);
  }

  /** The next step to choose; null when the turn is complete. */
  get need(): StepKind | null {
    const open = STEP_KINDS.filter((kind) => kind !== "boar" || this.disturbs);
    return open.find((kind) => this.value(kind) === null) ?? null;
  }

  get complete(): boolean {
    return this.need === null;
  }

  /** The turn in notation; null until it is complete. */
  get turn(): string | null {
    const [card, space, square] = [this.value("card"), this.value("space"), this.value("square")];
    const change = this.change;
    if (!this.complete || card === null || space === null || square === null || change === null) return null;
    return writeTurn({ card, space, square, gardener: change.gardener, boar: this.goal, noble: this.stop });
  }

  /** What the preview shows; null until the tile is certain. */
  get change(): Change | null {
    if (this.tile === null) return null;
    return {
      square: squareOf(this.tile),
      gardener: isGardener(this.tile),
      boar: this.goal,
      noble: this.stop,
    };
  }

  /** The garden before the turn. */
  get garden(): Garden {
    return this.context.garden;
  }

  /** The garden after the turn as staged so far. */
  get preview(): Garden {
    return this.change === null ? this.context.garden : after(this.context.garden, this.change);
  }

  /** Points so far. R38: the reward is scored first, and it alone can meet the floor of 0. */
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

  /** Where the boar goes; null if it stays, or is still to be sent somewhere. */
  private get goal(): Goal | null {
    return this.disturbs ? this.value("boar") : null;
  }

  /** Where the noble stops; null if none moves, or none is chosen yet. */
  private get stop(): Square | null {
    const noble = this.value("noble");
    return noble === NO_NOBLE ? null : noble;
  }

  /** The steps that a new one must fit. A card that does not fit them is chosen as the first step instead. */
  private stepsBefore(step: Step): Steps {
    const earlier = this.earlier(step.kind);
    return step.kind !== "card" || accepts(this.context, earlier, step) ? earlier : [];
  }

  /**
   * All steps of other kinds. If the old card left only one space, that space was filled in and is not among the chosen
   * steps. It is added when the card changes, so that the tile on the board stays where it is if the new card can take it.
   */
  private otherSteps(kind: StepKind): Steps {
    const others = this.steps.filter((step) => step.kind !== kind);
    const space = this.value("space");
    if (kind !== "card" || space === null || valueIn(others, "space") !== null) return others;
    // Boar and noble need a certain tile, so the space goes before them.
    const rest = others.findIndex((step) => step.kind === "boar" || step.kind === "noble");
    return others.toSpliced(rest < 0 ? others.length : rest, 0, { kind: "space", value: space });
  }

  /** The steps chosen before the one of a kind; all if there is none. */
  private earlier(kind: StepKind): Steps {
    const taken = this.steps.findIndex((step) => step.kind === kind);
    return taken < 0 ? this.steps : this.steps.slice(0, taken);
  }

  private withState(steps: Steps): Staging {
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

/** Browser storage may contain anything, so every field is checked; whether the steps fit is checked later. */
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
