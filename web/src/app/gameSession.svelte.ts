/** A game in which a turn can be played: at a table (`TableSession`) or in a lesson (`LessonSession`). */
import {
  replayedTurn,
  animationSteps,
  restingStep,
  sceneSteps,
  TURN_DURATIONS,
  schedule,
  Sequencer,
  type AnimatedTurn,
  type AnimationStep,
} from "../game/animation";
import { EMPTY_LOG, type EventLog, type TurnEntry } from "../game/eventLog";
import { gardenOf } from "../game/garden";
import type { SeatedPlayer } from "../game/seats";
import type { TurnView } from "../game/staging";
import type { EditionNames } from "../i18n/editionNames.svelte";
import type { Hint, Score } from "../net/types";
import type { App } from "./appContext.svelte";
import type { Speed } from "./settings";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds for which a replayed turn is shown when nothing moves. */
const REST_DURATION = 900;

export abstract class GameSession {
  abstract readonly view: TurnView | null;
  abstract readonly chairsBySeat: readonly SeatedPlayer[];
  abstract readonly names: EditionNames;
  /** Whether the viewer is to play now, and no stand-in plays for them. */
  abstract readonly awaited: boolean;
  abstract readonly standInPlays: boolean;
  abstract readonly hintsAllowed: boolean;

  log = $state.raw<EventLog>(EMPTY_LOG);
  /** The turn that was animated last. */
  lastTurn = $state.raw<AnimatedTurn | null>(null);
  /** What moves now. */
  step = $state.raw<AnimationStep | null>(null);
  /** The scores before the turn that is being animated. */
  scoresBefore = $state.raw<readonly Score[]>([]);
  /** Whether new turns are being animated. */
  animating = $state(false);
  /** Whether earlier turns are being shown again. */
  replaying = $state(false);
  protected readonly sequencer = new Sequencer<AnimationStep>(schedule, (step) => (this.step = step));
  /** Counts requests to animate, so that a replaced one ends. */
  protected generation = 0;
  /** Whether the rest of the queue is shown without animation. */
  protected skipped = false;

  constructor(
    readonly app: App,
    /** The id of the table or lesson. */
    readonly table: string,
  ) {}

  /** Play a turn; false if it was refused. */
  abstract playTurn(turn: string): Promise<boolean>;
  abstract requestHint(): Promise<Hint>;

  /** Nothing moves when the system asks for reduced motion, or the page is hidden. */
  get speed(): Speed {
    return reducedMotion.matches || document.hidden ? "none" : this.app.motion;
  }

  /** Show the current state at once. */
  skipAnimation(): void {
    this.generation += 1;
    this.skipped = this.animating;
    this.sequencer.finish();
  }

  /** Show turns again, one after the other; resolves when they are over or were replaced. */
  async replayTurns(turns: readonly TurnEntry[]): Promise<void> {
    if (this.animating) return;
    this.generation += 1;
    const { generation } = this;
    this.replaying = true;
    for (const entry of turns) {
      const garden = this.view?.game?.gardens[entry.seat ?? -1];
      if (garden === undefined || generation !== this.generation) break;
      const turn = replayedTurn(this.log.entries, entry, gardenOf(garden));
      this.lastTurn = turn;
      const duration = TURN_DURATIONS[this.speed];
      await this.sequencer.play(
        duration > 0 ? this.stepsOf(turn, duration) : [restingStep(turn, REST_DURATION)],
      );
    }
    if (generation === this.generation) this.replaying = false;
  }

  /** The steps of another player's turn. */
  protected stepsOf(turn: AnimatedTurn, duration: number): readonly AnimationStep[] {
    return this.app.preferences.scenes ? sceneSteps(turn, duration) : animationSteps(turn, duration);
  }

  protected stopReplay(): void {
    this.generation += 1;
    this.replaying = false;
    this.sequencer.finish();
  }
}
