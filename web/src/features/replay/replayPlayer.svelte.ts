/** Plays a recorded game: which position is shown, from which seat, and whether it runs by itself. */
import type { App } from "../../app/appContext.svelte";
import {
  animationSteps,
  restingStep,
  TURN_DURATIONS,
  schedule,
  Sequencer,
  type AnimationStep,
  type AnimatedTurn,
} from "../../game/animation";
import type { LogEntry, TurnEntry } from "../../game/eventLog";
import type { Replay } from "../../game/replay";
import type { SeatedPlayer } from "../../game/seats";
import type { EditionNames } from "../../i18n/editionNames.svelte";
import { t } from "../../i18n/i18n.svelte";
import type { GameView, Score } from "../../net/types";
import { TimelineGame } from "../../screens/game/gameModel.svelte";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export const TEMPOS = ["slow", "normal", "fast"] as const;
export type Tempo = (typeof TEMPOS)[number];

export class ReplayPlayer extends TimelineGame {
  turn = $state(0);
  seat = $state(0);
  /** Whether all hands and missions are shown. */
  open = $state(false);
  /** Whether scores and the result are shown. They are hidden at first, so as not to spoil the game. */
  showScores = $state(false);
  running = $state(false);
  tempo = $state<Tempo>("normal");
  step = $state.raw<AnimationStep | null>(null);
  readonly showEntry = undefined;
  private readonly sequencer = new Sequencer<AnimationStep>(schedule, (step) => (this.step = step));
  /** Counts requests, so that a replaced one ends. */
  private generation = 0;

  constructor(
    private readonly app: App,
    readonly replay: Replay,
    turn: number,
  ) {
    super();
    this.turn = replay.clampTurn(turn);
    if (app.motion !== "none") this.tempo = app.motion;
  }

  get players(): readonly SeatedPlayer[] {
    return this.replay.players;
  }

  get names(): EditionNames {
    return this.app.namesOf(this.game.variant.edition);
  }

  get scores(): readonly Score[] | null {
    return this.showScores ? this.game.scores : null;
  }

  get entries(): readonly LogEntry[] {
    return this.replay.entriesUntil(this.turn);
  }

  get entry(): TurnEntry | undefined {
    return this.replay.turns[this.turn - 1];
  }

  get wanted(): number {
    return this.turn;
  }

  get last(): number {
    return this.replay.last;
  }

  get handSeat(): number {
    return this.seat;
  }

  get seatLabel(): string {
    return t("replay.view_from");
  }

  get handLabel(): string {
    return t("replay.hand_of", { name: this.nameOf(this.seat) });
  }

  get missionsLabel(): string {
    return t("replay.missions_of", { name: this.nameOf(this.seat) });
  }

  get still(): boolean {
    return this.app.motion === "none" || reducedMotion.matches;
  }

  readonly lastTurn = $derived.by<AnimatedTurn | null>(() => this.replay.animation(this.turn));

  /** The position as the seat saw it. */
  readonly game = $derived.by<GameView>(() => this.replay.viewFrom(this.turn, this.seat));

  readonly keys = {
    ArrowRight: () => this.next(),
    " ": () => this.toggle(),
    o: () => (this.open = !this.open),
    s: () => (this.showScores = !this.showScores),
  };

  to(turn: number): void {
    this.stop();
    this.turn = this.replay.clampTurn(turn);
  }

  /** Animates the next turn, after finishing the current animation. */
  readonly next = (): void => {
    this.stop();
    void this.advance(this.still ? 0 : TURN_DURATIONS[this.tempo]);
  };

  readonly toggle = (): void => {
    if (this.running) this.stop();
    else void this.run();
  };

  stop(): void {
    this.generation += 1;
    this.running = false;
    this.sequencer.finish();
  }

  /** To the end; from the start if the end is shown. */
  private async run(): Promise<void> {
    this.to(this.turn < this.last ? this.turn : 0);
    const { generation } = this;
    this.running = true;
    while (generation === this.generation && this.turn < this.last)
      await this.advance(TURN_DURATIONS[this.tempo]);
    if (generation === this.generation) this.running = false;
  }

  private async advance(duration: number): Promise<void> {
    if (this.turn >= this.last) return;
    this.turn += 1;
    const turn = this.lastTurn;
    if (turn === null || duration === 0) return;
    await this.sequencer.play(this.still ? [restingStep(turn, duration)] : animationSteps(turn, duration));
  }
}
