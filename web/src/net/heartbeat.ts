/**
 * The pulse of a line: is anybody there? A dead line does not always say so, and a browser hides the pings of sockets.
 *
 *     heard ──BEAT──▶ ping ──HUSH──▶ silent ──until DEAD──▶ dead
 *       ▲                                │
 *       └──────── anything heard ────────┘
 */

/** Seconds after which a quiet line is asked. */
export const PING_AFTER = 5;
/** Seconds without an answer after which that is told. */
export const SILENT_AFTER = 2.5;
/** Seconds without an answer after which the line is given up. */
export const DEAD_AFTER = 8;

export interface HeartbeatHandlers {
  schedule(seconds: number, act: () => void): () => void;
  ping(): void;
  silent(): void;
  dead(): void;
}

export class Heartbeat {
  private cancelTimer: () => void = () => {};
  private awaitingReply = false;

  constructor(private readonly handlers: HeartbeatHandlers) {}

  /** Something was heard: all is well for a while. */
  onHeard(): void {
    this.awaitingReply = false;
    this.setTimer(PING_AFTER, () => {
      this.handlers.ping();
      this.expectReply();
    });
  }

  /** Something was said that will be answered. */
  expectReply(): void {
    if (this.awaitingReply) return;
    this.awaitingReply = true;
    this.setTimer(SILENT_AFTER, () => {
      this.setTimer(DEAD_AFTER - SILENT_AFTER, () => this.handlers.dead());
      this.handlers.silent();
    });
  }

  stop(): void {
    this.awaitingReply = false;
    this.cancelTimer();
  }

  private setTimer(seconds: number, act: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.handlers.schedule(seconds, act);
  }
}
