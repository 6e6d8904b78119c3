/** Looking at a replay: where one is, from which seat one looks, whether it runs by itself, and what moves. */
import type { App } from "../../app/appContext.svelte";
import type { GameView } from "../../net/types";
import { connected, gardenOf, type Garden } from "../../game/garden";
import type { Overlay } from "../../game/squareView";
import { lookedAt, momentsOf, PACES, type Moment } from "../../game/animation";
import { Performance } from "../../game/sequencer";
import type { Square } from "../../game/notation";
import type { Replay } from "../../game/replay";
import type { Speed } from "../../app/settings";
import type { ShownTurn } from "../../game/animatedTurn";
import type { Flying } from "../../board/MovingPieces.svelte";

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** How fast it runs. */
export const TEMPI = ["slow", "normal", "fast"] as const;
export type Tempo = (typeof TEMPI)[number];

export class Viewing {
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
  moment = $state.raw<Moment | null>(null);
  private readonly performance = new Performance<Moment>(waitFor, (moment) => (this.moment = moment));
  /** Counts where one wanted to go, so that an old wish ends. */
  private wish = 0;

  constructor(
    private readonly app: App,
    readonly replay: Replay,
    turn: number,
  ) {
    this.turn = replay.within(turn);
    if (app.motion !== "none") this.tempo = app.motion;
  }

  /** Whether nothing moves: the user wants it so, or the system does. */
  get still(): boolean {
    return this.app.motion === "none" || stillness.matches;
  }

  get speed(): Speed {
    return this.still ? "none" : this.tempo;
  }

  /** The turn that led here. */
  readonly lastTurn = $derived.by<ShownTurn | null>(() => this.replay.shown(this.turn));

  /** The position as the seat saw it. */
  readonly game = $derived.by<GameView>(() => this.replay.seen(this.turn, this.seat));

  /** Every garden, in the middle of what moves. */
  readonly gardens = $derived.by<readonly Garden[]>(() =>
    this.game.gardens.map((garden, seat) => this.momentOf(seat)?.garden ?? gardenOf(garden)),
  );

  /** What is drawn over the large garden. */
  readonly overlay = $derived.by<Overlay>(() => {
    const { seat, lastTurn } = this;
    const moment = this.momentOf(seat);
    const changed = this.changedOf(seat);
    return {
      connected: moment?.connected ?? connected(this.gardens[seat]!),
      lit: this.lightOf(seat),
      walk: changed.size > 0 ? lastTurn!.walk : [],
      from: lastTurn?.from ?? null,
      walking: moment?.walking ?? null,
      changed,
    };
  });

  /** What is on its way over the page. */
  readonly flying = $derived.by<Flying | null>(() => {
    const { moment } = this;
    if (!moment?.movement || this.still) return null;
    return { movement: moment.movement, lasts: moment.lasts, seat: moment.turn.seat };
  });

  /** What moves in the garden of a seat. */
  momentOf(seat: number): Moment | null {
    return this.moment?.turn.seat === seat ? this.moment : null;
  }

  /** The squares over which the light runs, each with the milliseconds until it comes there. */
  lightOf(seat: number): ReadonlyMap<Square, number> {
    const moment = this.momentOf(seat);
    if (moment?.movement?.kind !== "light") return new Map();
    const { steps } = moment.movement;
    const each = moment.lasts / (1 + Math.max(...steps.values()));
    return new Map([...steps].map(([square, step]) => [square, step * each]));
  }

  /** The squares that the last turn has changed, as soon as they have. */
  changedOf(seat: number): ReadonlySet<Square> {
    const moves = this.momentOf(seat)?.movement != null;
    return this.lastTurn?.seat === seat && !moves ? this.lastTurn.squares : new Set();
  }

  /** Go to a position at once. */
  to(turn: number): void {
    this.stop();
    this.turn = this.replay.within(turn);
  }

  readonly previous = (): void => this.to(this.turn - 1);

  /** The next turn, as it is shown at a table; what still moves is finished by it. */
  readonly next = (): void => {
    this.stop();
    void this.step(this.still ? 0 : PACES[this.tempo]);
  };

  readonly toggle = (): void => {
    if (this.running) this.stop();
    else void this.run();
  };

  /** Let nothing move or run any more. */
  stop(): void {
    this.wish += 1;
    this.running = false;
    this.performance.finish();
  }

  /** To the end, from here or, at the end, from the beginning. */
  private async run(): Promise<void> {
    const from = this.turn < this.replay.last ? this.turn : 0;
    this.to(from);
    const { wish } = this;
    this.running = true;
    while (wish === this.wish && this.turn < this.replay.last) await this.step(PACES[this.tempo]);
    if (wish === this.wish) this.running = false;
  }

  private async step(pace: number): Promise<void> {
    if (this.turn >= this.replay.last) return;
    this.turn += 1;
    const shown = this.lastTurn;
    if (shown === null || pace === 0) return;
    await this.performance.perform(this.still ? [lookedAt(shown, pace)] : momentsOf(shown, pace));
  }
}

function waitFor(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}
