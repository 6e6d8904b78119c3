/** Looking at a replay: where one is, from which seat one looks, whether it runs by itself, and what moves. */
import type { App } from "../../app/appContext.svelte";
import type { GameView } from "../../net/types";
import { connected, gardenOf, type Garden } from "../../game/garden";
import type { Overlay } from "../../game/squareView";
import { restingStep, animationSteps, TURN_DURATIONS, type AnimationStep } from "../../game/animation";
import { schedule, Sequencer } from "../../game/sequencer";
import type { Square } from "../../game/notation";
import type { Replay } from "../../game/replay";
import type { Speed } from "../../app/settings";
import type { AnimatedTurn } from "../../game/animatedTurn";
import type { Flying } from "../../board/MovingPieces.svelte";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** How fast it runs. */
export const TEMPOS = ["slow", "normal", "fast"] as const;
export type Tempo = (typeof TEMPOS)[number];

export class ReplayPlayer {
  /** The position that is seen: so many turns have been played. */
  turn = $state(0);
  /** Whose garden is the large one, and whose hand is seen. */
  seat = $state(0);
  /** Whether all hands and missions are open. */
  open = $state(false);
  /** Whether scores and the result are shown: nobody is told how a game ends before they ask. */
  scores = $state(false);
  /** Whether it runs by itself. */
  running = $state(false);
  tempo = $state<Tempo>("normal");
  step = $state.raw<AnimationStep | null>(null);
  private readonly sequencer = new Sequencer<AnimationStep>(schedule, (step) => (this.step = step));
  /** Counts where one wanted to go, so that an old wish ends. */
  private generation = 0;

  constructor(
    private readonly app: App,
    readonly replay: Replay,
    turn: number,
  ) {
    this.turn = replay.clampTurn(turn);
    if (app.motion !== "none") this.tempo = app.motion;
  }

  /** Whether nothing moves: the user wants it so, or the system does. */
  get still(): boolean {
    return this.app.motion === "none" || reducedMotion.matches;
  }

  get speed(): Speed {
    return this.still ? "none" : this.tempo;
  }

  /** The turn that led here. */
  readonly lastTurn = $derived.by<AnimatedTurn | null>(() => this.replay.animation(this.turn));

  /** The position as the seat saw it. */
  readonly game = $derived.by<GameView>(() => this.replay.viewFrom(this.turn, this.seat));

  /** Every garden, in the middle of what moves. */
  readonly gardens = $derived.by<readonly Garden[]>(() =>
    this.game.gardens.map((garden, seat) => this.stepOf(seat)?.garden ?? gardenOf(garden)),
  );

  /** What is drawn over the large garden. */
  readonly overlay = $derived.by<Overlay>(() => {
    const { seat, lastTurn } = this;
    const step = this.stepOf(seat);
    const changed = this.changedOf(seat);
    return {
      connected: step?.connected ?? connected(this.gardens[seat]!),
      lit: this.lightOf(seat),
      walk: changed.size > 0 ? lastTurn!.walk : [],
      from: lastTurn?.from ?? null,
      walking: step?.walking ?? null,
      changed,
    };
  });

  /** What is on its way over the page. */
  readonly flying = $derived.by<Flying | null>(() => {
    const { step } = this;
    if (!step?.movement || this.still) return null;
    return { movement: step.movement, duration: step.duration, seat: step.turn.seat };
  });

  /** What moves in the garden of a seat. */
  stepOf(seat: number): AnimationStep | null {
    return this.step?.turn.seat === seat ? this.step : null;
  }

  /** The squares over which the light runs, each with the milliseconds until it comes there. */
  lightOf(seat: number): ReadonlyMap<Square, number> {
    const step = this.stepOf(seat);
    if (step?.movement?.kind !== "light") return new Map();
    const { steps } = step.movement;
    const each = step.duration / (1 + Math.max(...steps.values()));
    return new Map([...steps].map(([square, step]) => [square, step * each]));
  }

  /** The squares that the last turn has changed, as soon as they have. */
  changedOf(seat: number): ReadonlySet<Square> {
    const moves = this.stepOf(seat)?.movement != null;
    return this.lastTurn?.seat === seat && !moves ? this.lastTurn.squares : new Set();
  }

  /** Go to a position at once. */
  to(turn: number): void {
    this.stop();
    this.turn = this.replay.clampTurn(turn);
  }

  readonly previous = (): void => this.to(this.turn - 1);

  /** The next turn, as it is shown at a table; what still moves is finished by it. */
  readonly next = (): void => {
    this.stop();
    void this.advance(this.still ? 0 : TURN_DURATIONS[this.tempo]);
  };

  readonly toggle = (): void => {
    if (this.running) this.stop();
    else void this.run();
  };

  /** Let nothing move or run any more. */
  stop(): void {
    this.generation += 1;
    this.running = false;
    this.sequencer.finish();
  }

  /** To the end, from here or, at the end, from the beginning. */
  private async run(): Promise<void> {
    const from = this.turn < this.replay.last ? this.turn : 0;
    this.to(from);
    const { generation } = this;
    this.running = true;
    while (generation === this.generation && this.turn < this.replay.last)
      await this.advance(TURN_DURATIONS[this.tempo]);
    if (generation === this.generation) this.running = false;
  }

  private async advance(pace: number): Promise<void> {
    if (this.turn >= this.replay.last) return;
    this.turn += 1;
    const shown = this.lastTurn;
    if (shown === null || pace === 0) return;
    await this.sequencer.play(this.still ? [restingStep(shown, pace)] : animationSteps(shown, pace));
  }
}
