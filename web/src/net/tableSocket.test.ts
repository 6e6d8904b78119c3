import { beforeEach, describe, expect, it } from "vitest";

import { copy, IMPERIAL, SOLO } from "../../tests/fixtures";
import { closeAction, CONNECTION_REFUSALS, ticketFailure, reconnectDelay } from "./reconnectPolicy";
import {
  isStillApplicable,
  TableSocket,
  REPLY_TIMEOUT,
  type SocketHandlers,
  type SocketState,
  type CommandOutcome,
} from "./tableSocket";
import { PING_AFTER, DEAD_AFTER, SILENT_AFTER } from "./heartbeat";
import type { Command, TableView, Update } from "./types";

const CONCEDE: Command = { type: "concede" };
const ABANDON: Command = { type: "abandon" };

/** A socket whose messages from the server are written by the test. */
class FakeSocket {
  readonly sent: unknown[] = [];
  isClosed = false;
  /** Whether it is open, but no reply comes any more. */
  isDead = false;
  pings = 0;

  constructor(readonly handlers: SocketHandlers) {}

  send(text: string): void {
    const message = JSON.parse(text) as { type: string };
    if (message.type !== "ping") return void this.sent.push(message);
    this.pings += 1;
    if (!this.isDead) void Promise.resolve().then(() => this.receive({ type: "pong" }));
  }

  close(): void {
    this.isClosed = true;
  }

  receive(message: object): void {
    this.handlers.onMessage(JSON.stringify(message));
  }
}

/** A transport with a clock that the test advances. */
class FakeTransport {
  readonly url = "ws://table/api/socket";
  readonly sockets: FakeSocket[] = [];
  readonly states: SocketState[] = [];
  readonly updates: Update[] = [];
  tickets = 0;
  ticketErrors: unknown[] = [];
  time = 1000;
  randomValue = 0.5;
  private timers: { at: number; act: () => void }[] = [];
  private ids = 0;

  openSocket(_: string, handlers: SocketHandlers): FakeSocket {
    const socket = new FakeSocket(handlers);
    this.sockets.push(socket);
    return socket;
  }

  fetchTicket(): Promise<{ ticket: string; chair: number; seconds: number }> {
    this.tickets += 1;
    const failure = this.ticketErrors.shift();
    if (failure !== undefined) return Promise.reject(failure as Error);
    return Promise.resolve({ ticket: `ticket-${this.tickets}`, chair: 0, seconds: 30 });
  }

  schedule(seconds: number, act: () => void): () => void {
    const timer = { at: this.time + seconds, act };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((other) => other !== timer));
  }

  async advance(seconds: number): Promise<void> {
    const end = this.time + seconds;
    for (;;) {
      await settled();
      const [next] = this.timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = next.at;
      next.act();
    }
    this.time = end;
  }

  now = (): number => this.time;
  random = (): number => this.randomValue;
  newId = (): string => `id-${(this.ids += 1)}`;
  language = () => "fr" as const;

  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  get state(): SocketState {
    return this.states.at(-1)!;
  }
}

/** Lets resolved promises run their callbacks. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

let transport: FakeTransport;
let tableSocket: TableSocket;

beforeEach(() => {
  transport = new FakeTransport();
  tableSocket = new TableSocket(transport, {
    state: (state) => transport.states.push(state),
    update: (update) => transport.updates.push(copy(update)),
  });
});

/** Opens the socket of the current attempt, so that it says hello. */
async function acceptConnection(): Promise<FakeSocket> {
  await settled();
  transport.socket.handlers.onOpen();
  return transport.socket;
}

/** A live connection that has received events 0 to 5. */
async function connected(): Promise<FakeSocket> {
  tableSocket.open();
  const socket = await acceptConnection();
  for (const update of SOLO.slice(0, 3)) socket.receive(update);
  return socket;
}

/** Holds the outcome of a promise once it has resolved. */
function outcome(promise: Promise<CommandOutcome>): { value: CommandOutcome | null } {
  const found: { value: CommandOutcome | null } = { value: null };
  void promise.then((value) => (found.value = value));
  return found;
}

describe("opening", () => {
  it("fetches a ticket, says hello, and is live after the first update", async () => {
    tableSocket.open();
    expect(transport.state).toEqual({ at: "connecting" });
    const socket = await acceptConnection();
    expect(socket.sent).toEqual([
      { type: "hello", ticket: "ticket-1", seq: -1, language: "fr", presence: true },
    ]);
    expect(transport.state.at).toBe("connecting");
    socket.receive(SOLO[0]!);
    expect(transport.state).toEqual({ at: "live", silent: false });
    expect(tableSocket.seq).toBe(SOLO[0]!.seq);
  });

  it("delivers every event once, in order", async () => {
    const socket = await connected();
    socket.receive(SOLO[2]!);
    socket.receive({ ...SOLO[3]!, events: [...SOLO[2]!.events, ...SOLO[3]!.events] });
    const seqs = transport.updates.flatMap((update) => update.events.map((event) => event.seq));
    expect(seqs).toEqual(seqs.map((_, index) => index));
  });

  it("ignores unknown message types, and replies to unknown commands", async () => {
    const socket = await connected();
    socket.receive({ type: "fanfare" });
    socket.receive({ type: "done", command_id: "other", seq: 9, repeated: false });
    expect(transport.state.at).toBe("live");
  });

  it("starts only one attempt when opened twice", async () => {
    tableSocket.open();
    tableSocket.open();
    await settled();
    expect(transport.tickets).toBe(1);
  });
});

describe("a lost connection", () => {
  it("is retried after 1, 2, 4 … 30 seconds, with the last received event in the hello", async () => {
    const socket = await connected();
    await transport.advance(60);
    socket.handlers.onClose(1006);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { state } = transport;
      if (state.at !== "lost" || state.retryAt === null) throw new Error("not lost");
      waits.push(state.retryAt - transport.time);
      expect(state.since).toBe(1060);
      await transport.advance(state.retryAt - transport.time);
      transport.socket.handlers.onClose(1006);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await transport.advance(30);
    const again = await acceptConnection();
    expect(again.sent).toEqual([
      { type: "hello", ticket: "ticket-9", seq: 5, language: "fr", presence: true },
    ]);
    again.receive(SOLO[3]!);
    expect(transport.state).toEqual({ at: "live", silent: false });
  });

  it("is retried with random jitter", () => {
    expect(reconnectDelay(0, 0)).toBeCloseTo(0.8);
    expect(reconnectDelay(2, 1)).toBeCloseTo(4.8);
    expect(reconnectDelay(20, 1)).toBeCloseTo(36);
  });

  it("resets the backoff after a stable connection, and not before", async () => {
    const socket = await connected();
    await transport.advance(20);
    socket.handlers.onClose(1006);
    await transport.advance(1);
    (await acceptConnection()).receive({ ...SOLO[2]!, events: [] });
    transport.socket.handlers.onClose(1006);
    expect(transport.state).toMatchObject({ at: "lost", attempt: 2, retryAt: transport.time + 2 });
    await transport.advance(2);
    (await acceptConnection()).receive({ ...SOLO[2]!, events: [] });
    await transport.advance(10);
    transport.socket.handlers.onClose(1006);
    expect(transport.state).toMatchObject({ attempt: 1, retryAt: transport.time + 1 });
  });

  it("is retried at once when the network is back", async () => {
    (await connected()).handlers.onClose(1006);
    await transport.advance(0.5);
    tableSocket.reconnectNow();
    await settled();
    expect(transport.tickets).toBe(2);
    expect(transport.state).toMatchObject({ at: "lost", retryAt: null });
    tableSocket.reconnectNow();
    await settled();
    expect(transport.tickets).toBe(2);
  });

  it("is detected when an attempt gets no reply", async () => {
    tableSocket.open();
    await acceptConnection();
    await transport.advance(REPLY_TIMEOUT);
    expect(transport.sockets[0]!.isClosed).toBe(true);
    expect(transport.state.at).toBe("lost");
    transport.sockets[0]!.receive(SOLO[0]!);
    expect(transport.updates).toEqual([]);
  });

  it("is assumed when the socket cannot be created", async () => {
    transport.openSocket = () => {
      throw new SyntaxError("no such address");
    };
    tableSocket.open();
    await settled();
    expect(transport.state).toMatchObject({ at: "lost", attempt: 1 });
  });

  it("is assumed when invalid JSON arrives", async () => {
    const socket = await connected();
    socket.handlers.onMessage("{");
    expect(socket.isClosed).toBe(true);
    expect(transport.state.at).toBe("lost");
  });

  it.each([1000, 1001, 1006, 1011, 1012, 1013, 4008, 4402])(
    "is re-established after close code %i",
    async (code) => {
      (await connected()).handlers.onClose(code);
      expect(transport.state.at).toBe("lost");
      await transport.advance(2);
      (await acceptConnection()).receive({ ...SOLO[2]!, events: [] });
      expect(transport.state.at).toBe("live");
    },
  );
});

describe("a close code", () => {
  it.each([
    [1009, "protocol"],
    [4400, "protocol"],
    [4403, "chair_lost"],
    [4429, "too_many"],
  ] as const)("%i is a refusal: %s", async (code, reason) => {
    const socket = await connected();
    socket.handlers.onClose(code);
    expect(transport.state).toEqual({ at: "refused", reason });
    await transport.advance(100);
    expect(transport.tickets).toBe(1);
    expect(CONNECTION_REFUSALS).toContain(closeAction(code));
  });

  it("4401 leads to a new ticket at once, but only once", async () => {
    tableSocket.open();
    await settled();
    transport.socket.handlers.onClose(4401);
    await transport.advance(0);
    expect(transport.tickets).toBe(2);
    transport.socket.handlers.onClose(4401);
    await transport.advance(1);
    expect(transport.tickets).toBe(2);
    await transport.advance(1);
    expect(transport.tickets).toBe(3);
  });

  it("1012 leads to a first attempt within a second, and then to the usual backoff", async () => {
    for (const random of [0.01, 0.5, 0.99]) {
      const socket = await connected();
      await transport.advance(20);
      transport.random = () => random;
      socket.handlers.onClose(1012);
      expect(transport.state).toMatchObject({ at: "lost", retryAt: transport.time + random });
      tableSocket.close();
    }
    const socket = await connected();
    socket.handlers.onClose(1012);
    await transport.advance(1);
    await settled();
    transport.socket.handlers.onClose(1012);
    expect(transport.state).toMatchObject({ attempt: 2 });
    expect((transport.state as { retryAt: number }).retryAt).toBeGreaterThan(transport.time + 1.5);
  });

  it("4400 before the first update leads to a hello that earlier servers know, but only once", async () => {
    tableSocket.open();
    await settled();
    transport.socket.handlers.onClose(4400);
    await transport.advance(0);
    await settled();
    transport.socket.handlers.onOpen();
    expect(transport.socket.sent).toEqual([{ type: "hello", ticket: "ticket-2", seq: -1, language: "fr" }]);
    transport.socket.handlers.onClose(4400);
    expect(transport.state).toEqual({ at: "refused", reason: "protocol" });
  });

  it("that was a refusal can be followed by another open()", async () => {
    (await connected()).handlers.onClose(4429);
    tableSocket.open();
    const socket = await acceptConnection();
    expect(socket.sent).toEqual([
      { type: "hello", ticket: "ticket-2", seq: 5, language: "fr", presence: true },
    ]);
  });
});

describe("a failed ticket request", () => {
  it.each([
    [401, "no_guest"],
    [403, "not_allowed"],
    [404, "unknown_table"],
    [410, "expired"],
    [409, "too_many"],
    [421, "wrong_host"],
    [400, "protocol"],
  ] as const)("%i is a refusal: %s", async (status, reason) => {
    transport.ticketErrors = [{ status }];
    tableSocket.open();
    await settled();
    expect(transport.state).toEqual({ at: "refused", reason });
  });

  it("is repeated after Retry-After", async () => {
    transport.ticketErrors = [{ status: 429, retryAfter: 12 }, { status: 503 }, new Error("no network")];
    tableSocket.open();
    await settled();
    expect(transport.state).toMatchObject({ at: "lost", retryAt: transport.time + 12 });
    await transport.advance(12);
    expect(transport.state).toMatchObject({ attempt: 2, retryAt: transport.time + 2 });
    await transport.advance(2);
    expect(transport.state).toMatchObject({ attempt: 3, retryAt: transport.time + 4 });
    await transport.advance(4);
    expect(transport.sockets).toHaveLength(1);
    expect(ticketFailure({ status: 429, retryAfter: 0 }).wait).toBeNull();
  });
});

describe("a command", () => {
  it("is sent with the last seq, and done when the update that shows it has arrived", async () => {
    const socket = await connected();
    const result = outcome(tableSocket.send(CONCEDE));
    expect(socket.sent.at(-1)).toEqual({
      type: "command",
      command_id: "id-1",
      expected_seq: 5,
      command: CONCEDE,
    });
    socket.receive({ type: "done", command_id: "id-1", seq: 9, repeated: false });
    await settled();
    expect(result.value).toBeNull();
    socket.receive({ ...SOLO[3]!, seq: 9 });
    await settled();
    expect(result.value).toEqual({ type: "done", seq: 9, repeated: false });
  });

  it("that is refused has an error and the time to wait", async () => {
    const socket = await connected();
    const result = outcome(tableSocket.send(CONCEDE));
    const error = { code: "server.too_often", rule: null, sentence: "…" };
    socket.receive({ type: "refused", command_id: "id-1", error, retry_after: 3 });
    await settled();
    expect(result.value).toEqual({ type: "refused", error, retryAfter: 3 });
    expect(outcome(tableSocket.send(ABANDON)).value).toBeNull();
    expect(socket.sent.at(-1)).toMatchObject({ command_id: "id-2", command: ABANDON });
  });

  it("that is stale resolves with the new view", async () => {
    const socket = await connected();
    const result = outcome(tableSocket.send(CONCEDE));
    socket.receive({ ...SOLO[3]!, type: "update" });
    const error = { code: "declined.stale", rule: null, sentence: "…" };
    socket.receive({ type: "refused", command_id: "id-1", error, retry_after: null });
    await settled();
    expect(result.value).toBeNull();
    socket.receive({ ...SOLO[3]!, events: [] });
    await settled();
    expect(result.value).toMatchObject({
      type: "stale",
      command: CONCEDE,
      update: { seq: SOLO[3]!.seq, events: [] },
    });
  });

  it("without a reply is sent again unchanged after a reconnect", async () => {
    const socket = await connected();
    const result = outcome(tableSocket.send(CONCEDE));
    const first = socket.sent.at(-1);
    socket.handlers.onClose(1006);
    await transport.advance(1);
    const again = await acceptConnection();
    expect(again.sent).toHaveLength(1);
    again.receive({ ...SOLO[3]!, seq: 9 });
    expect(again.sent.at(-1)).toEqual(first);
    again.receive({ type: "done", command_id: "id-1", seq: 8, repeated: true });
    await settled();
    expect(result.value).toEqual({ type: "done", seq: 8, repeated: true });
    expect(again.sent).toHaveLength(2);
  });

  it("that was answered is not sent again, even if its update arrives after a reconnect", async () => {
    const socket = await connected();
    const result = outcome(tableSocket.send(CONCEDE));
    socket.receive({ type: "done", command_id: "id-1", seq: 6, repeated: false });
    socket.handlers.onClose(1012);
    await transport.advance(1);
    const again = await acceptConnection();
    again.receive(SOLO[3]!);
    await settled();
    expect(again.sent).toHaveLength(1);
    expect(result.value).toMatchObject({ type: "done", seq: 6 });
  });

  it("without a reply for long means that the connection is lost", async () => {
    const socket = await connected();
    void tableSocket.send(CONCEDE);
    await transport.advance(REPLY_TIMEOUT);
    expect(socket.isClosed).toBe(true);
    expect(transport.state.at).toBe("lost");
  });

  it("that was answered in time does not", async () => {
    const socket = await connected();
    void tableSocket.send(CONCEDE);
    socket.receive({ type: "done", command_id: "id-1", seq: 5, repeated: false });
    await transport.advance(2 * REPLY_TIMEOUT);
    expect(transport.state.at).toBe("live");
  });

  it("is queued while the connection is lost", async () => {
    (await connected()).handlers.onClose(1006);
    const result = outcome(tableSocket.send(CONCEDE));
    await transport.advance(1);
    const again = await acceptConnection();
    again.receive({ ...SOLO[2]!, events: [] });
    expect(again.sent.at(-1)).toMatchObject({ type: "command", expected_seq: 5 });
    expect(result.value).toBeNull();
  });

  it("is rejected as busy before the first view, and while another one is pending", async () => {
    tableSocket.open();
    expect(await tableSocket.send(CONCEDE)).toEqual({ type: "busy" });
    const socket = await acceptConnection();
    socket.receive(SOLO[0]!);
    void tableSocket.send(CONCEDE);
    expect(await tableSocket.send(ABANDON)).toEqual({ type: "busy" });
    expect(socket.sent).toHaveLength(2);
  });

  it("resolves as gone when the connection is refused or closed", async () => {
    const socket = await connected();
    const result = outcome(tableSocket.send(CONCEDE));
    socket.handlers.onClose(4403);
    await settled();
    expect(result.value).toEqual({ type: "gone" });
    expect(await tableSocket.send(CONCEDE)).toEqual({ type: "gone" });
  });
});

describe("closing", () => {
  it("closes the socket and ignores later messages", async () => {
    const socket = await connected();
    tableSocket.close();
    expect(socket.isClosed).toBe(true);
    expect(transport.state).toEqual({ at: "closed" });
    const before = transport.updates.length;
    socket.receive(SOLO[3]!);
    socket.handlers.onClose(1000);
    await transport.advance(100);
    expect(transport.updates).toHaveLength(before);
    expect(transport.tickets).toBe(1);
  });

  it("while a ticket is fetched opens no socket", async () => {
    tableSocket.open();
    tableSocket.close();
    await settled();
    expect(transport.sockets).toEqual([]);
  });
});

describe("a silent connection", () => {
  it("is pinged, and stays live as long as it answers", async () => {
    const socket = await connected();
    await transport.advance(10 * PING_AFTER);
    expect(socket.pings).toBe(10);
    expect(transport.states.map(({ at }) => at)).toEqual(["connecting", "live"]);
  });

  it("is reported after a while, and lost when it is dead", async () => {
    const socket = await connected();
    socket.isDead = true;
    await transport.advance(PING_AFTER + SILENT_AFTER - 0.1);
    expect(transport.state).toEqual({ at: "live", silent: false });
    await transport.advance(0.2);
    expect(transport.state).toEqual({ at: "live", silent: true });
    await transport.advance(DEAD_AFTER - SILENT_AFTER);
    expect(transport.state.at).toBe("lost");
    expect(socket.isClosed).toBe(true);
  });

  it("is live again after any message", async () => {
    const socket = await connected();
    socket.isDead = true;
    await transport.advance(PING_AFTER + SILENT_AFTER + 1);
    socket.isDead = false;
    socket.receive({ type: "pong" });
    expect(transport.state).toEqual({ at: "live", silent: false });
    await transport.advance(10 * PING_AFTER);
    expect(transport.state).toEqual({ at: "live", silent: false });
  });

  it("is reported sooner when a command waits for its reply", async () => {
    const socket = await connected();
    socket.isDead = true;
    void tableSocket.send(CONCEDE);
    await transport.advance(SILENT_AFTER + 0.1);
    expect(transport.state).toEqual({ at: "live", silent: true });
  });
});

const { picking } = IMPERIAL;
const playing = IMPERIAL.views[0]!;
const pick: Command = { type: "pick", side: 1 };
const ready: Command = { type: "ready", nonce: "00".repeat(16) };
const lobby: TableView = { ...picking, stage: "lobby", setup: null, you: { ...picking.you, may: ["ready"] } };
const later = (view: TableView, some: Partial<TableView> = {}) => ({ ...view, seq: view.seq + 1, ...some });
const otherBoards = { setup: { ...picking.setup!, phase: "ready" as const } };

it.each<[string, boolean, Command, TableView, TableView]>([
  ["concede", true, CONCEDE, picking, later(picking)],
  ["concede, when other boards are picked by now", false, CONCEDE, picking, later(picking, otherBoards)],
  [
    "concede, when it is no longer allowed",
    false,
    CONCEDE,
    picking,
    later(picking, { you: { ...picking.you, may: [] } }),
  ],
  ["concede, at another stage", false, CONCEDE, picking, playing],
  ["pick", false, pick, picking, later(picking)],
  ["ready, for other players", false, ready, lobby, later(lobby)],
  ["play", false, { type: "play", turn: "36@2-g3/g3" }, playing, later(playing)],
])("a stale command is sent again: %s: %s", (_, again, command, before, now) => {
  expect(isStillApplicable(command, before, now)).toBe(again);
});
