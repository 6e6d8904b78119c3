/**
 * What GameScreen draws. Each way of looking at a game has one model:
 *
 *     GameModel
 *     ├── LiveGame          a table or a lesson, at which a turn can be staged
 *     └── TimelineGame      positions along the turns that were played
 *         ├── PastGame      looking back while the game goes on
 *         └── ReplayPlayer  a recorded game
 */
import type { Flying } from "../../board/MovingPieces.svelte";
import type { AnimatedTurn, AnimationStep } from "../../game/animation";
import type { LogEntry, TurnEntry } from "../../game/eventLog";
import { completed, connected, gardenOf, type Garden } from "../../game/garden";
import type { Square } from "../../game/notation";
import { seatsAfter, type SeatedPlayer } from "../../game/seats";
import type { Overlay } from "../../game/squareView";
import type { EditionNames } from "../../i18n/editionNames.svelte";
import type { GameView, GardenView, Score } from "../../net/types";

/** The same object each time, so that nothing is drawn anew for it. */
const NO_SQUARES: ReadonlySet<Square> = new Set();
const NO_LIGHT: ReadonlyMap<Square, number> = new Map();

export abstract class GameModel {
  abstract readonly game: GameView;
  /** By seat. */
  abstract readonly players: readonly SeatedPlayer[];
  abstract readonly names: EditionNames;
  /** The seat whose garden is the large one. */
  abstract readonly seat: number;
  /** By seat; null where scores are hidden. */
  abstract readonly scores: readonly Score[] | null;
  abstract readonly entries: readonly LogEntry[];
  /** The turn that led to this position. */
  abstract readonly lastTurn: AnimatedTurn | null;
  /** The part of a turn that is being animated. */
  abstract readonly step: AnimationStep | null;
  /** Whether nothing moves. */
  abstract readonly still: boolean;

  /** By seat, in the middle of an animation. */
  readonly gardens = $derived.by<readonly Garden[]>(() =>
    this.game.gardens.map((garden, seat) => this.stepOf(seat)?.garden ?? this.gardenOf(seat, garden)),
  );

  /** By seat: the same object while the view says the same, so that only gardens that change are drawn anew. */
  private readonly kept = new Map<number, { readonly view: GardenView; readonly garden: Garden }>();

  private gardenOf(seat: number, view: GardenView): Garden {
    const kept = this.kept.get(seat);
    if (kept?.view === view) return kept.garden;
    const same = kept !== undefined && JSON.stringify(kept.view) === JSON.stringify(view);
    const garden = same ? kept.garden : gardenOf(view);
    this.kept.set(seat, { view, garden });
    return garden;
  }

  readonly others = $derived.by(() => seatsAfter(this.seat, this.players.length));

  /** The large garden. */
  get garden(): Garden {
    return this.gardens[this.seat]!;
  }

  /** What is drawn over the large garden. */
  get overlay(): Overlay {
    const { seat, lastTurn } = this;
    const step = this.stepOf(seat);
    const changed = this.changedOf(seat);
    return {
      connected: step?.connected ?? connected(this.garden),
      lit: this.lightOf(seat),
      walk: changed.size > 0 ? lastTurn!.walk : [],
      from: lastTurn?.from ?? null,
      walking: step?.walking ?? null,
      changed,
      blooming: this.bloomingOf(seat),
    };
  }

  /** What moves, drawn or not. */
  get moving(): Flying | null {
    if (!this.step?.movement) return null;
    const { movement, duration, turn } = this.step;
    return { movement, duration, seat: turn.seat };
  }

  get flying(): Flying | null {
    return this.still ? null : this.moving;
  }

  /** A turn whose tile still lies on the display in the animation, though the position has it taken. */
  get taking(): AnimatedTurn | null {
    return this.step !== null && !this.step.taken ? this.step.turn : null;
  }

  nameOf(seat: number | null): string {
    return this.players[seat ?? 0]?.name ?? "";
  }

  /** What moves in a seat's garden. */
  stepOf(seat: number): AnimationStep | null {
    return this.step?.turn.seat === seat ? this.step : null;
  }

  /** The squares that light up in a seat's garden, each with the milliseconds until then. */
  lightOf(seat: number): ReadonlyMap<Square, number> {
    const step = this.stepOf(seat);
    if (step?.movement?.kind !== "light") return NO_LIGHT;
    const { steps } = step.movement;
    return delayed(steps, 0, step.duration / (1 + Math.max(...steps.values())));
  }

  /** The rows and columns that the last turn completed, once it has stopped moving. */
  bloomingOf(seat: number): ReadonlySet<Square> {
    const { lastTurn } = this;
    if (this.still || lastTurn === null || this.changedOf(seat).size === 0) return NO_SQUARES;
    return completed(lastTurn.before, lastTurn.after);
  }

  /** The squares that the last turn changed, once they have stopped moving. */
  changedOf(seat: number): ReadonlySet<Square> {
    const moves = this.stepOf(seat)?.movement != null;
    return this.lastTurn?.seat === seat && !moves ? this.lastTurn.squares : NO_SQUARES;
  }
}

/** Steps of light as milliseconds. */
export function delayed(
  steps: ReadonlyMap<Square, number>,
  first: number,
  each: number,
): ReadonlyMap<Square, number> {
  return new Map([...steps].map(([square, step]) => [square, first + step * each]));
}

export abstract class TimelineGame extends GameModel {
  abstract override seat: number;
  /** The position that is shown: after so many turns. */
  abstract readonly turn: number;
  /** The position asked for; it may still be loading. */
  abstract readonly wanted: number;
  abstract readonly last: number;
  /** The turn that led to the position; undefined for the first one, and where it is not known. */
  abstract readonly entry: TurnEntry | undefined;
  /** The seat whose hand and missions are seen; null for spectators. */
  abstract readonly handSeat: number | null;
  /** What choosing another seat does. */
  abstract readonly seatLabel: string;
  abstract readonly handLabel: string;
  abstract readonly missionsLabel: string;
  /** Keys in addition to those of every timeline. */
  abstract readonly keys: Readonly<Record<string, () => void>>;
  /** Shows the position after the turn of a log entry, where that is offered. */
  abstract readonly showEntry: ((seq: number) => void) | undefined;

  abstract to(turn: number): void;
}
