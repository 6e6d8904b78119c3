/**
 * The pulse of a line: is anybody there? A dead line does not always say so, and a browser hides the pings of sockets.
 *
 *     heard ──BEAT──▶ ping ──HUSH──▶ silent ──until DEAD──▶ dead
 *       ▲                                │
 *       └──────── anything heard ────────┘
 */

/** Seconds after which a quiet line is asked. */
export const BEAT = 5;
/** Seconds without an answer after which that is told. */
export const HUSH = 2.5;
/** Seconds without an answer after which the line is given up. */
export const DEAD = 8;

export interface Watched {
  later(seconds: number, act: () => void): () => void;
  ping(): void;
  silent(): void;
  dead(): void;
}

export class Pulse {
  private callOff: () => void = () => {};
  private asked = false;

  constructor(private readonly watched: Watched) {}

  /** Something was heard: all is well for a while. */
  beat(): void {
    this.asked = false;
    this.wait(BEAT, () => {
      this.watched.ping();
      this.expect();
    });
  }

  /** Something was said that will be answered. */
  expect(): void {
    if (this.asked) return;
    this.asked = true;
    this.wait(HUSH, () => {
      this.wait(DEAD - HUSH, () => this.watched.dead());
      this.watched.silent();
    });
  }

  stop(): void {
    this.asked = false;
    this.callOff();
  }

  private wait(seconds: number, act: () => void): void {
    this.callOff();
    this.callOff = this.watched.later(seconds, act);
  }
}
