/**
 * The WebSocket of one table: receives updates, sends commands, and reconnects when it is lost.
 *
 *     connecting ──update──▶ live ──closed, or dead (heartbeat.ts)──▶ lost ──update──▶ live
 *          └──────────────── refused ◀── a ticket or close code for which reconnecting would not help
 *
 * One attempt to connect, and one command:
 *
 *     connect ──▶ fetchTicket ──▶ openSocket ──▶ hello(ticket, last seq) ──▶ update: live
 *     send ─────▶ command(id, expected seq) ──▶ done or refused ──▶ update that shows it: outcome
 *
 * It follows "The socket" in docs/protocol.md. Each attempt fetches a new ticket, since tickets work once. The hello
 * message names the last event that was received, so that the server sends only what is missing. A command without a
 * reply is sent again after a reconnect with the same id, so that it is carried out once.
 *
 * Everything of the browser is behind `Transport`, so that tests can run without a network or a clock.
 */

import {
  closeAction,
  isFailedRequest,
  RESTART_SPREAD,
  ticketFailure,
  reconnectDelay,
  type ConnectionRefusal,
} from "./reconnectPolicy";
import type { Client } from "./client";
import { Heartbeat } from "./heartbeat";
import { randomId } from "./randomIds";
import type {
  Command,
  CommandDone,
  Hello,
  Nudge,
  NudgeMessage,
  Ping,
  Pong,
  PresenceMessage,
  Problem,
  CommandRefused,
  SocketCommand,
  TableView,
  Ticket,
  Update,
} from "./types";

/** An open socket. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

/** `onClose` is called exactly once, also if the socket could not be opened (1006). */
export interface SocketHandlers {
  onOpen(): void;
  onMessage(text: string): void;
  onClose(code: number): void;
}

/** What the socket needs from its environment. Times are in seconds. */
export interface Transport {
  readonly url: string;
  openSocket(url: string, handlers: SocketHandlers): Socket;
  /** Rejects with a `FailedRequest`, or with any other error. */
  fetchTicket(): Promise<Ticket>;
  /** Runs `act` later; the returned function cancels it. */
  schedule(seconds: number, act: () => void): () => void;
  now(): number;
  random(): number;
  /** A new command id. */
  newId(): string;
  language(): NonNullable<Hello["language"]>;
}

export type SocketState =
  | { readonly at: "connecting" }
  /** `silent`: the server has not answered for a while. */
  | { readonly at: "live"; readonly silent: boolean }
  /** `retryAt` is null during an attempt. */
  | { readonly at: "lost"; readonly since: number; readonly attempt: number; readonly retryAt: number | null }
  | { readonly at: "refused"; readonly reason: ConnectionRefusal }
  | { readonly at: "closed" };

export interface SocketListener {
  state(state: SocketState): void;
  /** Each event is delivered once, in order. */
  update(update: Update): void;
  /** Who has the table open changed. */
  presence?(here: readonly number[]): void;
  /** A person asks another one to play; sent to both. */
  nudge?(by: number, chair: number): void;
}

export type CommandOutcome =
  /** Accepted, and the view that shows it has arrived. */
  | { readonly type: "done"; readonly seq: number; readonly repeated: boolean }
  | { readonly type: "refused"; readonly error: Problem; readonly retryAfter: number | null }
  /** The table had moved on, so nothing was done. `update` has the new view. */
  | { readonly type: "stale"; readonly command: Command; readonly update: Update }
  /** Another command is pending, or no view has arrived yet. */
  | { readonly type: "busy" }
  /** The connection was closed for good; the command may or may not have been accepted. */
  | { readonly type: "gone" };

/** Seconds until an attempt must bring the first update, and a command its reply. */
export const REPLY_TIMEOUT = 15;
/** Seconds after which a connection counts as stable and resets the backoff. */
const STABLE_AFTER = 10;

export class TableSocket {
  private current: SocketState = { at: "closed" };
  private socket: Socket | null = null;
  private lastSeq = -1;
  private attempt = 0;
  private liveSince = 0;
  /** The last hello was refused: during an upgrade, a server of the version before does not know all its fields. */
  private plainHello = false;
  private lostSince: number | null = null;
  private pending: PendingCommand | null = null;
  /** One timer at a time: for the end of an attempt, for the next attempt, or for the reply to a command. */
  private cancelTimer: () => void = () => {};
  /** Counts attempts: callbacks of an older socket are ignored. */
  private generation = 0;
  private readonly heartbeat: Heartbeat;

  constructor(
    private readonly transport: Transport,
    private readonly listener: SocketListener,
  ) {
    this.heartbeat = new Heartbeat({
      schedule: (seconds, act) => transport.schedule(seconds, act),
      ping: () => this.sendMessage({ type: "ping" } satisfies Ping),
      silent: () => this.setState({ at: "live", silent: true }),
      dead: () => this.reconnectLater(),
    });
  }

  /** The sequence number of the last event; -1 before the first update. */
  get seq(): number {
    return this.lastSeq;
  }

  /** Connect, or connect again after a refusal. */
  open(): void {
    if (this.current.at !== "closed" && this.current.at !== "refused") return;
    this.attempt = 0;
    this.lostSince = null;
    this.plainHello = false;
    this.setState({ at: "connecting" });
    this.connect();
  }

  /** Disconnect for good. */
  close(): void {
    this.disconnect();
    this.setState({ at: "closed" });
    this.settle({ type: "gone" });
  }

  /** Skip the backoff: the network is back, or the page became visible. */
  reconnectNow(): void {
    if (this.current.at === "lost" && this.current.retryAt !== null) this.connect();
  }

  /**
   * Send a command. While the connection is lost it waits; without a reply it is sent again unchanged. Only one command
   * can be pending: a second one is `busy`.
   */
  send(command: Command): Promise<CommandOutcome> {
    if (this.current.at === "closed" || this.current.at === "refused")
      return Promise.resolve({ type: "gone" });
    if (this.pending !== null || this.lastSeq < 0) return Promise.resolve({ type: "busy" });
    return new Promise((resolve) => {
      this.pending = new PendingCommand(command, this.transport.newId(), this.lastSeq, resolve);
      if (this.current.at === "live") this.sendPending();
    });
  }

  /** Remind a person that the others wait; it is lost while the connection is. */
  nudge(chair: number): void {
    if (this.current.at === "live") this.sendMessage({ type: "nudge", chair } satisfies Nudge);
  }

  private connect(): void {
    this.disconnect(); // starts a new generation: late callbacks of the previous attempt are ignored
    const { generation } = this;
    if (this.current.at === "lost") this.setState({ ...this.current, retryAt: null });
    this.cancelTimer = this.transport.schedule(REPLY_TIMEOUT, () => this.reconnectLater());
    this.transport.fetchTicket().then(
      ({ ticket }) => {
        if (generation === this.generation) this.connectSocket(ticket);
      },
      (error: unknown) => {
        if (generation === this.generation) this.ticketRefused(error);
      },
    );
  }

  private connectSocket(ticket: string): void {
    const { generation } = this;
    const ifCurrent = (act: () => void): void => (generation === this.generation ? act() : undefined);
    const handlers: SocketHandlers = {
      onOpen: () => ifCurrent(() => this.sendHello(ticket)),
      onMessage: (text) => ifCurrent(() => this.onMessage(text)),
      onClose: (code) => ifCurrent(() => this.onClosed(code)),
    };
    try {
      this.socket = this.transport.openSocket(this.transport.url, handlers);
    } catch {
      this.reconnectLater();
    }
  }

  private sendHello(ticket: string): void {
    this.sendMessage({
      type: "hello",
      ticket,
      seq: this.lastSeq,
      language: this.transport.language(),
      ...(this.plainHello ? {} : { presence: true }),
    } satisfies Hello);
  }

  private sendMessage(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }

  private onMessage(text: string): void {
    const message = parseMessage(text);
    if (message === null) return this.reconnectLater(); // not a message of this protocol
    if (this.current.at === "live") this.onSignOfLife();
    if (message.type === "update") return this.onUpdate(message);
    if (message.type === "done" || message.type === "refused") this.onReply(message);
    if (message.type === "presence") this.listener.presence?.(message.here);
    if (message.type === "nudge") this.listener.nudge?.(message.by, message.chair);
    // other types belong to later versions of the protocol
  }

  /** Any message shows that the connection works. */
  private onSignOfLife(): void {
    this.heartbeat.onHeard();
    if (this.current.at === "live" && this.current.silent) this.setState({ at: "live", silent: false });
  }

  private onUpdate(update: Update): void {
    const events = update.events.filter((event) => event.seq > this.lastSeq);
    this.lastSeq = update.seq;
    // The listener sees the update before the command that caused it is settled: its sender finds the new view.
    this.listener.update({ ...update, events });
    if (this.current.at === "connecting" || this.current.at === "lost") this.becomeLive();
    this.settle(this.pending?.onUpdate(update) ?? null);
  }

  /** The first update of an attempt has arrived: a command without a reply is sent again. */
  private becomeLive(): void {
    this.cancelTimer(); // of the attempt
    this.plainHello = false;
    this.liveSince = this.transport.now();
    this.lostSince = null;
    this.setState({ at: "live", silent: false });
    this.heartbeat.onHeard();
    this.sendPending();
  }

  private onReply(answer: CommandDone | CommandRefused): void {
    if (this.pending === null || answer.command_id !== this.pending.id) return;
    this.cancelTimer(); // of the command
    this.settle(this.pending.onReply(answer, this.lastSeq));
  }

  private sendPending(): void {
    if (this.pending === null || this.pending.isAnswered) return;
    this.socket?.send(this.pending.text);
    this.heartbeat.expectReply();
    this.cancelTimer();
    // A dead connection does not always close, so a missing reply counts as one.
    this.cancelTimer = this.transport.schedule(REPLY_TIMEOUT, () => this.reconnectLater());
  }

  /** Resolves the pending command; null means that its outcome is still open. */
  private settle(outcome: CommandOutcome | null): void {
    if (outcome === null) return;
    const { pending } = this;
    this.pending = null;
    pending?.resolve(outcome);
  }

  private onClosed(code: number): void {
    const action = closeAction(code);
    if (action === "protocol" && this.current.at !== "live" && !this.plainHello) {
      this.plainHello = true;
      return this.reconnectLater(null, 0);
    }
    if (action === "again") return this.reconnectLater();
    if (action === "at once") return this.reconnectLater(null, 0);
    if (action === "soon") return this.reconnectLater(null, RESTART_SPREAD * this.transport.random());
    this.giveUp(action);
  }

  private ticketRefused(error: unknown): void {
    if (!isFailedRequest(error)) return this.reconnectLater();
    const failure = ticketFailure(error);
    return failure.refusal === null ? this.reconnectLater(failure.wait) : this.giveUp(failure.refusal);
  }

  private giveUp(reason: ConnectionRefusal): void {
    this.disconnect();
    this.setState({ at: "refused", reason });
    this.settle({ type: "gone" });
  }

  /** Reconnect with backoff. `wait` is the server's Retry-After, `first` the delay of a first attempt. */
  private reconnectLater(wait: number | null = null, first: number | null = null): void {
    this.disconnect();
    // A connection that fails right after it was opened must not reset the backoff.
    const wasStable = this.current.at === "live" && this.transport.now() - this.liveSince >= STABLE_AFTER;
    if (wasStable) this.attempt = 0;
    const backoff = Math.max(wait ?? 0, reconnectDelay(this.attempt, this.transport.random()));
    const seconds = first !== null && this.attempt === 0 ? first : backoff;
    this.attempt += 1;
    this.lostSince ??= this.transport.now();
    const retryAt = this.transport.now() + seconds;
    this.setState({ at: "lost", since: this.lostSince, attempt: this.attempt, retryAt });
    this.cancelTimer = this.transport.schedule(seconds, () => this.connect());
  }

  /** Closes the socket and cancels all timers; the state is set by the caller. */
  private disconnect(): void {
    this.generation += 1;
    this.heartbeat.stop();
    this.cancelTimer();
    this.cancelTimer = () => {};
    const { socket } = this;
    this.socket = null; // before `close`, which may call back
    socket?.close();
  }

  private setState(state: SocketState): void {
    this.current = state;
    this.listener.state(state);
  }
}

type ServerMessage =
  | Update
  | CommandDone
  | CommandRefused
  | Pong
  | PresenceMessage
  | NudgeMessage
  | { readonly type: "unknown" };

/** Null if the text is not a message. */
function parseMessage(text: string): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(text);
    const isMessage = typeof message === "object" && message !== null && "type" in message;
    return isMessage ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}

const STALE = "declined.stale";

/** A command that was sent; it is settled by its reply and the update that shows its effect. */
class PendingCommand {
  /** Sent again unchanged after a reconnect: the server recognizes the id and does not act twice. */
  readonly text: string;
  private answer: CommandDone | CommandRefused | null = null;

  constructor(
    private readonly command: Command,
    readonly id: string,
    seq: number,
    readonly resolve: (outcome: CommandOutcome) => void,
  ) {
    const message: SocketCommand = { type: "command", command_id: id, expected_seq: seq, command };
    this.text = JSON.stringify(message);
  }

  get isAnswered(): boolean {
    return this.answer !== null;
  }

  /** The update that belongs to a reply may arrive after it; until then the outcome is null. */
  onReply(answer: CommandDone | CommandRefused, seq: number): CommandOutcome | null {
    this.answer = answer;
    if (answer.type === "done") return answer.seq <= seq ? this.done(answer) : null;
    if (answer.error.code === STALE) return null;
    return { type: "refused", error: answer.error, retryAfter: answer.retry_after };
  }

  /** Resolves a reply that waited for its update. */
  onUpdate(update: Update): CommandOutcome | null {
    if (this.answer?.type === "done") return this.answer.seq <= update.seq ? this.done(this.answer) : null;
    return this.answer === null ? null : { type: "stale", command: this.command, update };
  }

  private done({ seq, repeated }: CommandDone): CommandOutcome {
    return { type: "done", seq, repeated };
  }
}

/**
 * Commands that a person still wants after another event, unlike a turn. `ready` is stale only if the players
 * have changed, and `pick` only if this chair has acted.
 */
const INDEPENDENT_COMMANDS: ReadonlySet<Command["type"]> = new Set([
  "unready",
  "rise",
  "wear",
  "step_away",
  "return",
  "concede",
  "abandon",
  "decline",
  "rematch",
]);

/** Whether a stale command may be sent again; `before` is the view it was sent on, `now` the current one. */
export function isStillApplicable(command: Command, before: TableView | null, now: TableView): boolean {
  const sameStage = before?.stage === now.stage && before.setup?.phase === now.setup?.phase;
  if (before?.commitment !== now.commitment) return false; // another shuffle, for which nobody is ready yet
  return sameStage && INDEPENDENT_COMMANDS.has(command.type) && now.you.may.includes(command.type);
}

/** The transport of a real browser. `chair` and `key` (the secret of a link) say as whom to connect. */
export function browserTransport(
  client: Client,
  table: string,
  chair: number | null,
  key?: string,
): Transport {
  return {
    // The server ignores the table; a proxy may route by it.
    url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket?table=${table}`,
    openSocket,
    fetchTicket: () => client.ticket(table, chair, key),
    schedule: (seconds, act) => {
      const timer = setTimeout(act, seconds * 1000);
      return () => clearTimeout(timer);
    },
    now: () => performance.now() / 1000,
    random: Math.random,
    newId: randomId,
    language: () => client.language,
  };
}

function openSocket(url: string, handlers: SocketHandlers): Socket {
  const socket = new WebSocket(url);
  socket.onopen = () => handlers.onOpen();
  socket.onmessage = (message) => handlers.onMessage(String(message.data));
  socket.onclose = (closing) => handlers.onClose(closing.code);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
