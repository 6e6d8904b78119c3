/**
 * The connection to one table: says hello, hears updates, gives commands, and comes back when it is lost.
 *
 *     connecting ──update──▶ live ──closed, or dead (pulse.ts)──▶ lost ──update──▶ live
 *          └──────────────── refused ◀── a ticket or a closing that says: coming back does not help
 *
 * It follows "The socket" in docs/protocol.md. Nothing of the browser is in here: whoever opens it says how to dial,
 * how to get a ticket, and what time it is.
 */

import { closingOf, isTrouble, ticketTrouble, waitBefore, type Refusal } from "./reconnectPolicy";
import { Pending, type Outcome } from "./pendingCommand";
import { Pulse } from "./heartbeat";
import type { Command, Done, Hello, Ping, Pong, Refused, Ticket, Update } from "./types";

export { REFUSALS, type Refusal } from "./reconnectPolicy";
export type { Outcome } from "./pendingCommand";

/** A socket that was dialled. */
export interface Line {
  send(text: string): void;
  close(): void;
}

/** What a socket calls; each `closed` comes once, also when it could not be opened (1006). */
export interface Ears {
  opened(): void;
  heard(text: string): void;
  closed(code: number): void;
}

/** What the connection needs of the world. Times are in seconds. */
export interface World {
  readonly url: string;
  dial(url: string, ears: Ears): Line;
  /** Rejected with an object that has the `status` of the answer, and `retryAfter` if it says so; or with anything. */
  fetchTicket(): Promise<Ticket>;
  /** Do something later; the answer calls it off. */
  later(seconds: number, act: () => void): () => void;
  now(): number;
  random(): number;
  /** A new id for a command, like a UUID. */
  newId(): string;
  language(): NonNullable<Hello["language"]>;
}

export type LiveState =
  | { readonly at: "connecting" }
  /** `silent`: what was said has had no answer for a while. */
  | { readonly at: "live"; readonly silent: boolean }
  /** `retryAt` is null while an attempt is under way. */
  | { readonly at: "lost"; readonly since: number; readonly attempt: number; readonly retryAt: number | null }
  | { readonly at: "refused"; readonly reason: Refusal }
  | { readonly at: "closed" };

export interface Listener {
  state(state: LiveState): void;
  /** Every event comes once, in order; `missed`: others have happened before them that are not told. */
  update(update: Update, missed: boolean): void;
}

/** Seconds within which an attempt must lead to a first update, and a command to an answer. */
export const PATIENCE = 15;
/** Seconds after which a connection counts as good: the next loss waits one second again. */
const GOOD_AFTER = 10;

export class Live {
  private current: LiveState = { at: "closed" };
  private line: Line | null = null;
  private lastSeq = -1;
  private attempt = 0;
  private liveSince = 0;
  private lostSince: number | null = null;
  private pending: Pending | null = null;
  private callOff: () => void = () => {};
  /** Counts attempts, so that what an old one still says is passed over. */
  private round = 0;
  private readonly pulse: Pulse;

  constructor(
    private readonly world: World,
    private readonly listener: Listener,
  ) {
    this.pulse = new Pulse({
      later: (seconds, act) => world.later(seconds, act),
      ping: () => this.say({ type: "ping" } satisfies Ping),
      silent: () => this.become({ at: "live", silent: true }),
      dead: () => this.lose(),
    });
  }

  get state(): LiveState {
    return this.current;
  }

  /** The number of the last event that was heard of; -1 before the first update. */
  get seq(): number {
    return this.lastSeq;
  }

  /** Begin, or begin again after a refusal. */
  open(): void {
    if (this.current.at !== "closed" && this.current.at !== "refused") return;
    this.attempt = 0;
    this.lostSince = null;
    this.become({ at: "connecting" });
    this.connect();
  }

  /** Leave the table for good. */
  close(): void {
    this.hangUp();
    this.become({ at: "closed" });
    this.settle({ type: "gone" });
  }

  /** Try now: the network is back, or somebody looks at the page again. */
  nudge(): void {
    if (this.current.at === "lost" && this.current.retryAt !== null) this.connect();
  }

  /**
   * Give a command. While the connection is lost it waits, and one without an answer is repeated word for word. One at
   * a time: a second one is `busy`.
   */
  give(command: Command): Promise<Outcome> {
    if (this.current.at === "closed" || this.current.at === "refused")
      return Promise.resolve({ type: "gone" });
    if (this.pending !== null || this.lastSeq < 0) return Promise.resolve({ type: "busy" });
    return new Promise((resolve) => {
      this.pending = new Pending(command, this.world.newId(), this.lastSeq, resolve);
      if (this.current.at === "live") this.sendPending();
    });
  }

  private connect(): void {
    this.hangUp();
    const { round } = this;
    if (this.current.at === "lost") this.become({ ...this.current, retryAt: null });
    this.callOff = this.world.later(PATIENCE, () => this.lose());
    this.world.fetchTicket().then(
      ({ ticket }) => {
        if (round === this.round) this.dial(ticket);
      },
      (error: unknown) => {
        if (round === this.round) this.ticketRefused(error);
      },
    );
  }

  private dial(ticket: string): void {
    const { round } = this;
    const mine = (act: () => void): void => (round === this.round ? act() : undefined);
    const ears: Ears = {
      opened: () => mine(() => this.sayHello(ticket)),
      heard: (text) => mine(() => this.heard(text)),
      closed: (code) => mine(() => this.closed(code)),
    };
    try {
      this.line = this.world.dial(this.world.url, ears);
    } catch {
      this.lose();
    }
  }

  private sayHello(ticket: string): void {
    this.say({ type: "hello", ticket, seq: this.lastSeq, language: this.world.language() } satisfies Hello);
  }

  private say(message: object): void {
    this.line?.send(JSON.stringify(message));
  }

  private heard(text: string): void {
    const message = parsed(text);
    if (message === null) return this.lose();
    if (this.current.at === "live") this.hears();
    if (message.type === "update") return this.heardUpdate(message);
    if (message.type === "done" || message.type === "refused") this.heardAnswer(message);
    // anything else is of a later protocol: passed over
  }

  /** Whatever was heard, the line holds. */
  private hears(): void {
    this.pulse.beat();
    if (this.current.at === "live" && this.current.silent) this.become({ at: "live", silent: false });
  }

  private heardUpdate(update: Update): void {
    const events = update.events.filter((event) => event.seq > this.lastSeq);
    const next = events[0]?.seq ?? update.seq + 1;
    const missed = next !== this.lastSeq + 1;
    this.lastSeq = update.seq;
    this.listener.update({ ...update, events }, missed);
    if (this.current.at === "connecting" || this.current.at === "lost") this.becomeLive();
    this.settle(this.pending?.after(update) ?? null);
  }

  private becomeLive(): void {
    this.callOff();
    this.liveSince = this.world.now();
    this.lostSince = null;
    this.become({ at: "live", silent: false });
    this.pulse.beat();
    this.sendPending();
  }

  private heardAnswer(answer: Done | Refused): void {
    if (this.pending === null || answer.command_id !== this.pending.id) return;
    this.callOff();
    this.settle(this.pending.answered(answer, this.lastSeq));
  }

  private sendPending(): void {
    if (this.pending === null || this.pending.isAnswered) return;
    this.line?.send(this.pending.text);
    this.pulse.expect();
    this.callOff();
    this.callOff = this.world.later(PATIENCE, () => this.lose()); // a dead line does not always say so
  }

  private settle(outcome: Outcome | null): void {
    if (outcome === null) return;
    const { pending } = this;
    this.pending = null;
    pending?.resolve(outcome);
  }

  private closed(code: number): void {
    const closing = closingOf(code);
    if (closing === "again") return this.lose();
    if (closing === "at once") return this.lose(0);
    this.refuse(closing);
  }

  private ticketRefused(error: unknown): void {
    if (!isTrouble(error)) return this.lose();
    const trouble = ticketTrouble(error);
    return trouble.refusal === null ? this.lose(trouble.wait) : this.refuse(trouble.refusal);
  }

  private refuse(reason: Refusal): void {
    this.hangUp();
    this.become({ at: "refused", reason });
    this.settle({ type: "gone" });
  }

  /** The connection is lost, or could not be made: wait a little longer each time. */
  private lose(wait: number | null = null): void {
    this.hangUp();
    const wasGood = this.current.at === "live" && this.world.now() - this.liveSince >= GOOD_AFTER;
    if (wasGood) this.attempt = 0;
    const atOnce = wait === 0 && this.attempt === 0;
    const seconds = atOnce ? 0 : Math.max(wait ?? 0, waitBefore(this.attempt, this.world.random()));
    this.attempt += 1;
    this.lostSince ??= this.world.now();
    const retryAt = this.world.now() + seconds;
    this.become({ at: "lost", since: this.lostSince, attempt: this.attempt, retryAt });
    this.callOff = this.world.later(seconds, () => this.connect());
  }

  private hangUp(): void {
    this.round += 1;
    this.pulse.stop();
    this.callOff();
    this.callOff = () => {};
    const { line } = this;
    this.line = null;
    line?.close();
  }

  private become(state: LiveState): void {
    this.current = state;
    this.listener.state(state);
  }
}

type Heard = Update | Done | Refused | Pong | { readonly type: "unknown" };

/** What the server says; null if that is no message at all. */
function parsed(text: string): Heard | null {
  try {
    const message: unknown = JSON.parse(text);
    const isMessage = typeof message === "object" && message !== null && "type" in message;
    return isMessage ? (message as Heard) : null;
  } catch {
    return null;
  }
}
