/**
 * Detects dead connections, which do not always close; pages cannot see the WebSocket's own pings.
 *
 *     message ──PING_AFTER──▶ ping ──SILENT_AFTER──▶ silent ──until DEAD_AFTER──▶ dead
 *        ▲                                              │
 *        └───────────────── any message ────────────────┘
 */

/** Seconds of silence after which a ping is sent. */
export const PING_AFTER = 5;
/** Seconds without a reply after which the connection is reported as silent. */
export const SILENT_AFTER = 2.5;
/** Seconds without a reply after which the connection is given up. */
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

  /** A message arrived: the connection is alive. */
  onHeard(): void {
    this.awaitingReply = false;
    this.setTimer(PING_AFTER, () => {
      this.handlers.ping();
      this.expectReply();
    });
  }

  /** A message was sent that will be answered. */
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
