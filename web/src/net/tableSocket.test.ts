import { beforeEach, describe, expect, it } from "vitest";

import { copy, SOLO } from "../../tests/fixtures";
import { closeAction, CONNECTION_REFUSALS, ticketFailure, reconnectDelay } from "./reconnectPolicy";
import {
  TableSocket,
  REPLY_TIMEOUT,
  type SocketHandlers,
  type SocketState,
  type CommandOutcome,
} from "./tableSocket";
import { PING_AFTER, DEAD_AFTER, SILENT_AFTER } from "./heartbeat";
import type { Command, Update } from "./types";

const CONCEDE: Command = { type: "concede" };
const ABANDON: Command = { type: "abandon" };

/** A socket of a server that says what it is told to. */
class FakeLine {
  readonly said: unknown[] = [];
  isClosed = false;
  /** Whether it is open, but nothing passes any more. */
  isDead = false;
  pings = 0;

  constructor(readonly handlers: SocketHandlers) {}

  send(text: string): void {
    const message = JSON.parse(text) as { type: string };
    if (message.type !== "ping") return void this.said.push(message);
    this.pings += 1;
    if (!this.isDead) void Promise.resolve().then(() => this.says({ type: "pong" }));
  }

  close(): void {
    this.isClosed = true;
  }

  says(message: object): void {
    this.handlers.onMessage(JSON.stringify(message));
  }
}

/** A world in which time passes when a test says so. */
class FakeWorld {
  readonly url = "ws://table/api/socket";
  readonly lines: FakeLine[] = [];
  readonly states: SocketState[] = [];
  readonly updates: { update: Update; missed: boolean }[] = [];
  tickets = 0;
  troubles: unknown[] = [];
  time = 1000;
  chance = 0.5;
  private alarms: { at: number; act: () => void }[] = [];
  private ids = 0;

  openSocket(_: string, handlers: SocketHandlers): FakeLine {
    const line = new FakeLine(handlers);
    this.lines.push(line);
    return line;
  }

  fetchTicket(): Promise<{ ticket: string; chair: number; seconds: number }> {
    this.tickets += 1;
    const failure = this.troubles.shift();
    if (failure !== undefined) return Promise.reject(failure as Error);
    return Promise.resolve({ ticket: `ticket-${this.tickets}`, chair: 0, seconds: 30 });
  }

  schedule(seconds: number, act: () => void): () => void {
    const alarm = { at: this.time + seconds, act };
    this.alarms.push(alarm);
    return () => (this.alarms = this.alarms.filter((other) => other !== alarm));
  }

  async pass(seconds: number): Promise<void> {
    const end = this.time + seconds;
    for (;;) {
      await settled();
      const [next] = this.alarms.filter((alarm) => alarm.at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.alarms = this.alarms.filter((alarm) => alarm !== next);
      this.time = next.at;
      next.act();
    }
    this.time = end;
  }

  now = (): number => this.time;
  random = (): number => this.chance;
  newId = (): string => `id-${(this.ids += 1)}`;
  language = () => "fr" as const;

  get line(): FakeLine {
    return this.lines.at(-1)!;
  }

  get state(): SocketState {
    return this.states.at(-1)!;
  }
}

/** Promises that are kept already are heard of. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

let transport: FakeWorld;
let live: TableSocket;

beforeEach(() => {
  transport = new FakeWorld();
  live = new TableSocket(transport, {
    state: (state) => transport.states.push(state),
    update: (update, missed) => transport.updates.push({ update: copy(update), missed }),
  });
});

/** Dial, and say hello. */
async function reach(): Promise<FakeLine> {
  await settled();
  transport.line.handlers.onOpen();
  return transport.line;
}

/** Connected, with all that has happened so far: events 0 to 5. */
async function connected(): Promise<FakeLine> {
  live.open();
  const line = await reach();
  for (const update of SOLO.slice(0, 3)) line.says(update);
  return line;
}

/** An outcome as soon as there is one. */
function outcome(promise: Promise<CommandOutcome>): { value: CommandOutcome | null } {
  const found: { value: CommandOutcome | null } = { value: null };
  void promise.then((value) => (found.value = value));
  return found;
}

describe("opening", () => {
  it("asks for a ticket, says hello, and is live with the first update", async () => {
    live.open();
    expect(transport.state).toEqual({ at: "connecting" });
    const line = await reach();
    expect(line.said).toEqual([{ type: "hello", ticket: "ticket-1", seq: -1, language: "fr" }]);
    expect(transport.state.at).toBe("connecting");
    line.says(SOLO[0]!);
    expect(transport.state).toEqual({ at: "live", silent: false });
    expect(live.seq).toBe(SOLO[0]!.seq);
  });

  it("tells every event once, in order", async () => {
    const line = await connected();
    line.says(SOLO[2]!);
    line.says({ ...SOLO[3]!, events: [...SOLO[2]!.events, ...SOLO[3]!.events] });
    const seqs = transport.updates.flatMap(({ update }) => update.events.map((event) => event.seq));
    expect(seqs).toEqual(seqs.map((_, index) => index));
    expect(transport.updates.some(({ missed }) => missed)).toBe(false);
  });

  it("says when events are missing that nobody tells any more", async () => {
    const line = await connected();
    line.says({ ...SOLO[4]!, events: SOLO[4]!.events.slice(1) });
    expect(transport.updates.at(-1)!.missed).toBe(true);
  });

  it("passes over what a later protocol may say, and over answers to nothing", async () => {
    const line = await connected();
    line.says({ type: "fanfare" });
    line.says({ type: "done", command_id: "other", seq: 9, repeated: false });
    expect(transport.state.at).toBe("live");
  });

  it("is opened once", async () => {
    live.open();
    live.open();
    await settled();
    expect(transport.tickets).toBe(1);
  });
});

describe("a lost connection", () => {
  it("waits 1, 2, 4 … 30 seconds, then says hello with the last event that it has", async () => {
    const line = await connected();
    await transport.pass(60);
    line.handlers.onClose(1006);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { state } = transport;
      if (state.at !== "lost" || state.retryAt === null) throw new Error("not lost");
      waits.push(state.retryAt - transport.time);
      expect(state.since).toBe(1060);
      await transport.pass(state.retryAt - transport.time);
      transport.line.handlers.onClose(1006);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await transport.pass(30);
    const again = await reach();
    expect(again.said).toEqual([{ type: "hello", ticket: "ticket-9", seq: 5, language: "fr" }]);
    again.says(SOLO[3]!);
    expect(transport.state).toEqual({ at: "live", silent: false });
  });

  it("waits a little more or less, at random", () => {
    expect(reconnectDelay(0, 0)).toBeCloseTo(0.8);
    expect(reconnectDelay(2, 1)).toBeCloseTo(4.8);
    expect(reconnectDelay(20, 1)).toBeCloseTo(36);
  });

  it("begins with one second again once a connection was good, and not before", async () => {
    const line = await connected();
    await transport.pass(20);
    line.handlers.onClose(1006);
    await transport.pass(1);
    (await reach()).says({ ...SOLO[2]!, events: [] });
    transport.line.handlers.onClose(1006);
    expect(transport.state).toMatchObject({ at: "lost", attempt: 2, retryAt: transport.time + 2 });
    await transport.pass(2);
    (await reach()).says({ ...SOLO[2]!, events: [] });
    await transport.pass(10);
    transport.line.handlers.onClose(1006);
    expect(transport.state).toMatchObject({ attempt: 1, retryAt: transport.time + 1 });
  });

  it("is tried at once when the network is back", async () => {
    (await connected()).handlers.onClose(1006);
    await transport.pass(0.5);
    live.reconnectNow();
    await settled();
    expect(transport.tickets).toBe(2);
    expect(transport.state).toMatchObject({ at: "lost", retryAt: null });
    live.reconnectNow();
    await settled();
    expect(transport.tickets).toBe(2);
  });

  it("is noticed when an attempt leads nowhere", async () => {
    live.open();
    await reach();
    await transport.pass(REPLY_TIMEOUT);
    expect(transport.lines[0]!.isClosed).toBe(true);
    expect(transport.state.at).toBe("lost");
    transport.lines[0]!.says(SOLO[0]!);
    expect(transport.updates).toEqual([]);
  });

  it("is one that cannot be dialled at all", async () => {
    transport.openSocket = () => {
      throw new SyntaxError("no such address");
    };
    live.open();
    await settled();
    expect(transport.state).toMatchObject({ at: "lost", attempt: 1 });
  });

  it("is made of a line on which something else than messages comes", async () => {
    const line = await connected();
    line.handlers.onMessage("{");
    expect(line.isClosed).toBe(true);
    expect(transport.state.at).toBe("lost");
  });

  it.each([1000, 1001, 1006, 1011, 1012, 1013, 4008, 4402])("after %i is come back from", async (code) => {
    (await connected()).handlers.onClose(code);
    expect(transport.state.at).toBe("lost");
    await transport.pass(2);
    (await reach()).says({ ...SOLO[2]!, events: [] });
    expect(transport.state.at).toBe("live");
  });
});

describe("a closing that says why", () => {
  it.each([
    [1009, "protocol"],
    [4400, "protocol"],
    [4403, "chair_lost"],
    [4429, "too_many"],
  ] as const)("%i is a refusal: %s", async (code, reason) => {
    const line = await connected();
    line.handlers.onClose(code);
    expect(transport.state).toEqual({ at: "refused", reason });
    await transport.pass(100);
    expect(transport.tickets).toBe(1);
    expect(CONNECTION_REFUSALS).toContain(closeAction(code));
  });

  it("4401 is answered with a fresh ticket at once, but not for ever", async () => {
    live.open();
    await settled();
    transport.line.handlers.onClose(4401);
    await transport.pass(0);
    expect(transport.tickets).toBe(2);
    transport.line.handlers.onClose(4401);
    await transport.pass(1);
    expect(transport.tickets).toBe(2);
    await transport.pass(1);
    expect(transport.tickets).toBe(3);
  });

  it("can be tried again by hand", async () => {
    (await connected()).handlers.onClose(4429);
    live.open();
    const line = await reach();
    expect(line.said).toEqual([{ type: "hello", ticket: "ticket-2", seq: 5, language: "fr" }]);
  });
});

describe("without a ticket", () => {
  it.each([
    [401, "no_guest"],
    [403, "not_allowed"],
    [404, "unknown_table"],
    [409, "too_many"],
    [421, "wrong_host"],
    [400, "protocol"],
  ] as const)("%i is a refusal: %s", async (status, reason) => {
    transport.troubles = [{ status }];
    live.open();
    await settled();
    expect(transport.state).toEqual({ at: "refused", reason });
  });

  it("waits as long as the server says", async () => {
    transport.troubles = [{ status: 429, retryAfter: 12 }, { status: 503 }, new Error("no network")];
    live.open();
    await settled();
    expect(transport.state).toMatchObject({ at: "lost", retryAt: transport.time + 12 });
    await transport.pass(12);
    expect(transport.state).toMatchObject({ attempt: 2, retryAt: transport.time + 2 });
    await transport.pass(2);
    expect(transport.state).toMatchObject({ attempt: 3, retryAt: transport.time + 4 });
    await transport.pass(4);
    expect(transport.lines).toHaveLength(1);
    expect(ticketFailure({ status: 429, retryAfter: 0 }).wait).toBeNull();
  });
});

describe("a command", () => {
  it("is said with the newest seq, and is done when the view has come that shows it", async () => {
    const line = await connected();
    const told = outcome(live.send(CONCEDE));
    expect(line.said.at(-1)).toEqual({
      type: "command",
      command_id: "id-1",
      expected_seq: 5,
      command: CONCEDE,
    });
    line.says({ type: "done", command_id: "id-1", seq: 9, repeated: false });
    await settled();
    expect(told.value).toBeNull();
    line.says({ ...SOLO[3]!, seq: 9 });
    await settled();
    expect(told.value).toEqual({ type: "done", seq: 9, repeated: false });
  });

  it("that is refused says why, and when it may be tried again", async () => {
    const line = await connected();
    const told = outcome(live.send(CONCEDE));
    const error = { code: "server.too_often", rule: null, sentence: "…" };
    line.says({ type: "refused", command_id: "id-1", error, retry_after: 3 });
    await settled();
    expect(told.value).toEqual({ type: "refused", error, retryAfter: 3 });
    expect(outcome(live.send(ABANDON)).value).toBeNull();
    expect(line.said.at(-1)).toMatchObject({ command_id: "id-2", command: ABANDON });
  });

  it("that is stale is offered again with the new view", async () => {
    const line = await connected();
    const told = outcome(live.send(CONCEDE));
    line.says({ ...SOLO[3]!, type: "update" });
    const error = { code: "declined.stale", rule: null, sentence: "…" };
    line.says({ type: "refused", command_id: "id-1", error, retry_after: null });
    await settled();
    expect(told.value).toBeNull();
    line.says({ ...SOLO[3]!, events: [] });
    await settled();
    expect(told.value).toMatchObject({
      type: "stale",
      command: CONCEDE,
      update: { seq: SOLO[3]!.seq, events: [] },
    });
  });

  it("without an answer is repeated word for word, after the update", async () => {
    const line = await connected();
    const told = outcome(live.send(CONCEDE));
    const first = line.said.at(-1);
    line.handlers.onClose(1006);
    await transport.pass(1);
    const again = await reach();
    expect(again.said).toHaveLength(1);
    again.says({ ...SOLO[3]!, seq: 9 });
    expect(again.said.at(-1)).toEqual(first);
    again.says({ type: "done", command_id: "id-1", seq: 8, repeated: true });
    await settled();
    expect(told.value).toEqual({ type: "done", seq: 8, repeated: true });
    expect(again.said).toHaveLength(2);
  });

  it("that was answered is not repeated, though its update comes only after coming back", async () => {
    const line = await connected();
    const told = outcome(live.send(CONCEDE));
    line.says({ type: "done", command_id: "id-1", seq: 6, repeated: false });
    line.handlers.onClose(1012);
    await transport.pass(1);
    const again = await reach();
    again.says(SOLO[3]!);
    await settled();
    expect(again.said).toHaveLength(1);
    expect(told.value).toMatchObject({ type: "done", seq: 6 });
  });

  it("without an answer for long shows that the line is dead", async () => {
    const line = await connected();
    void live.send(CONCEDE);
    await transport.pass(REPLY_TIMEOUT);
    expect(line.isClosed).toBe(true);
    expect(transport.state.at).toBe("lost");
  });

  it("that was answered in time shows nothing", async () => {
    const line = await connected();
    void live.send(CONCEDE);
    line.says({ type: "done", command_id: "id-1", seq: 5, repeated: false });
    await transport.pass(2 * REPLY_TIMEOUT);
    expect(transport.state.at).toBe("live");
  });

  it("waits while the connection is lost", async () => {
    (await connected()).handlers.onClose(1006);
    const told = outcome(live.send(CONCEDE));
    await transport.pass(1);
    const again = await reach();
    again.says({ ...SOLO[2]!, events: [] });
    expect(again.said.at(-1)).toMatchObject({ type: "command", expected_seq: 5 });
    expect(told.value).toBeNull();
  });

  it("is given one at a time, and after the first view", async () => {
    live.open();
    expect(await live.send(CONCEDE)).toEqual({ type: "busy" });
    const line = await reach();
    line.says(SOLO[0]!);
    void live.send(CONCEDE);
    expect(await live.send(ABANDON)).toEqual({ type: "busy" });
    expect(line.said).toHaveLength(2);
  });

  it("comes to nothing where the connection is refused or closed", async () => {
    const line = await connected();
    const told = outcome(live.send(CONCEDE));
    line.handlers.onClose(4403);
    await settled();
    expect(told.value).toEqual({ type: "gone" });
    expect(await live.send(CONCEDE)).toEqual({ type: "gone" });
  });
});

describe("leaving", () => {
  it("hangs up, and nothing comes back", async () => {
    const line = await connected();
    live.close();
    expect(line.isClosed).toBe(true);
    expect(transport.state).toEqual({ at: "closed" });
    const heard = transport.updates.length;
    line.says(SOLO[3]!);
    line.handlers.onClose(1000);
    await transport.pass(100);
    expect(transport.updates).toHaveLength(heard);
    expect(transport.tickets).toBe(1);
  });

  it("while a ticket is fetched dials nobody", async () => {
    live.open();
    live.close();
    await settled();
    expect(transport.lines).toEqual([]);
  });
});

describe("a line that says nothing", () => {
  it("is asked, and stays as long as it answers", async () => {
    const line = await connected();
    await transport.pass(10 * PING_AFTER);
    expect(line.pings).toBe(10);
    expect(transport.states.map(({ at }) => at)).toEqual(["connecting", "live"]);
  });

  it("is told after a while, and lost when it is dead", async () => {
    const line = await connected();
    line.isDead = true;
    await transport.pass(PING_AFTER + SILENT_AFTER - 0.1);
    expect(transport.state).toEqual({ at: "live", silent: false });
    await transport.pass(0.2);
    expect(transport.state).toEqual({ at: "live", silent: true });
    await transport.pass(DEAD_AFTER - SILENT_AFTER);
    expect(transport.state.at).toBe("lost");
    expect(line.isClosed).toBe(true);
  });

  it("is well again with whatever is heard", async () => {
    const line = await connected();
    line.isDead = true;
    await transport.pass(PING_AFTER + SILENT_AFTER + 1);
    line.isDead = false;
    line.says({ type: "pong" });
    expect(transport.state).toEqual({ at: "live", silent: false });
    await transport.pass(10 * PING_AFTER);
    expect(transport.state).toEqual({ at: "live", silent: false });
  });

  it("is told sooner when a command waits for its answer", async () => {
    const line = await connected();
    line.isDead = true;
    void live.send(CONCEDE);
    await transport.pass(SILENT_AFTER + 0.1);
    expect(transport.state).toEqual({ at: "live", silent: true });
  });
});
