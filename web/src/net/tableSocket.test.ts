import { beforeEach, describe, expect, it } from "vitest";

import { copy, SOLO } from "../../tests/fixtures";
import { closingOf, REFUSALS, ticketTrouble, waitBefore } from "./reconnectPolicy";
import { Live, PATIENCE, type Ears, type LiveState, type Outcome } from "./tableSocket";
import { BEAT, DEAD, HUSH } from "./heartbeat";
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

  constructor(readonly ears: Ears) {}

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
    this.ears.heard(JSON.stringify(message));
  }
}

/** A world in which time passes when a test says so. */
class FakeWorld {
  readonly url = "ws://table/api/socket";
  readonly lines: FakeLine[] = [];
  readonly states: LiveState[] = [];
  readonly updates: { update: Update; missed: boolean }[] = [];
  tickets = 0;
  troubles: unknown[] = [];
  time = 1000;
  chance = 0.5;
  private alarms: { at: number; act: () => void }[] = [];
  private ids = 0;

  dial(_: string, ears: Ears): FakeLine {
    const line = new FakeLine(ears);
    this.lines.push(line);
    return line;
  }

  fetchTicket(): Promise<{ ticket: string; chair: number; seconds: number }> {
    this.tickets += 1;
    const trouble = this.troubles.shift();
    if (trouble !== undefined) return Promise.reject(trouble as Error);
    return Promise.resolve({ ticket: `ticket-${this.tickets}`, chair: 0, seconds: 30 });
  }

  later(seconds: number, act: () => void): () => void {
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

  get state(): LiveState {
    return this.states.at(-1)!;
  }
}

/** Promises that are kept already are heard of. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

let world: FakeWorld;
let live: Live;

beforeEach(() => {
  world = new FakeWorld();
  live = new Live(world, {
    state: (state) => world.states.push(state),
    update: (update, missed) => world.updates.push({ update: copy(update), missed }),
  });
});

/** Dial, and say hello. */
async function reach(): Promise<FakeLine> {
  await settled();
  world.line.ears.opened();
  return world.line;
}

/** Connected, with all that has happened so far: events 0 to 5. */
async function connected(): Promise<FakeLine> {
  live.open();
  const line = await reach();
  for (const update of SOLO.slice(0, 3)) line.says(update);
  return line;
}

/** An outcome as soon as there is one. */
function outcome(promise: Promise<Outcome>): { value: Outcome | null } {
  const found: { value: Outcome | null } = { value: null };
  void promise.then((value) => (found.value = value));
  return found;
}

describe("opening", () => {
  it("asks for a ticket, says hello, and is live with the first update", async () => {
    live.open();
    expect(world.state).toEqual({ at: "connecting" });
    const line = await reach();
    expect(line.said).toEqual([{ type: "hello", ticket: "ticket-1", seq: -1, language: "fr" }]);
    expect(world.state.at).toBe("connecting");
    line.says(SOLO[0]!);
    expect(world.state).toEqual({ at: "live", silent: false });
    expect(live.seq).toBe(SOLO[0]!.seq);
  });

  it("tells every event once, in order", async () => {
    const line = await connected();
    line.says(SOLO[2]!);
    line.says({ ...SOLO[3]!, events: [...SOLO[2]!.events, ...SOLO[3]!.events] });
    const seqs = world.updates.flatMap(({ update }) => update.events.map((event) => event.seq));
    expect(seqs).toEqual(seqs.map((_, index) => index));
    expect(world.updates.some(({ missed }) => missed)).toBe(false);
  });

  it("says when events are missing that nobody tells any more", async () => {
    const line = await connected();
    line.says({ ...SOLO[4]!, events: SOLO[4]!.events.slice(1) });
    expect(world.updates.at(-1)!.missed).toBe(true);
  });

  it("passes over what a later protocol may say, and over answers to nothing", async () => {
    const line = await connected();
    line.says({ type: "fanfare" });
    line.says({ type: "done", command_id: "other", seq: 9, repeated: false });
    expect(world.state.at).toBe("live");
  });

  it("is opened once", async () => {
    live.open();
    live.open();
    await settled();
    expect(world.tickets).toBe(1);
  });
});

describe("a lost connection", () => {
  it("waits 1, 2, 4 … 30 seconds, then says hello with the last event that it has", async () => {
    const line = await connected();
    await world.pass(60);
    line.ears.closed(1006);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { state } = world;
      if (state.at !== "lost" || state.retryAt === null) throw new Error("not lost");
      waits.push(state.retryAt - world.time);
      expect(state.since).toBe(1060);
      await world.pass(state.retryAt - world.time);
      world.line.ears.closed(1006);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await world.pass(30);
    const again = await reach();
    expect(again.said).toEqual([{ type: "hello", ticket: "ticket-9", seq: 5, language: "fr" }]);
    again.says(SOLO[3]!);
    expect(world.state).toEqual({ at: "live", silent: false });
  });

  it("waits a little more or less, at random", () => {
    expect(waitBefore(0, 0)).toBeCloseTo(0.8);
    expect(waitBefore(2, 1)).toBeCloseTo(4.8);
    expect(waitBefore(20, 1)).toBeCloseTo(36);
  });

  it("begins with one second again once a connection was good, and not before", async () => {
    const line = await connected();
    await world.pass(20);
    line.ears.closed(1006);
    await world.pass(1);
    (await reach()).says({ ...SOLO[2]!, events: [] });
    world.line.ears.closed(1006);
    expect(world.state).toMatchObject({ at: "lost", attempt: 2, retryAt: world.time + 2 });
    await world.pass(2);
    (await reach()).says({ ...SOLO[2]!, events: [] });
    await world.pass(10);
    world.line.ears.closed(1006);
    expect(world.state).toMatchObject({ attempt: 1, retryAt: world.time + 1 });
  });

  it("is tried at once when the network is back", async () => {
    (await connected()).ears.closed(1006);
    await world.pass(0.5);
    live.nudge();
    await settled();
    expect(world.tickets).toBe(2);
    expect(world.state).toMatchObject({ at: "lost", retryAt: null });
    live.nudge();
    await settled();
    expect(world.tickets).toBe(2);
  });

  it("is noticed when an attempt leads nowhere", async () => {
    live.open();
    await reach();
    await world.pass(PATIENCE);
    expect(world.lines[0]!.isClosed).toBe(true);
    expect(world.state.at).toBe("lost");
    world.lines[0]!.says(SOLO[0]!);
    expect(world.updates).toEqual([]);
  });

  it("is one that cannot be dialled at all", async () => {
    world.dial = () => {
      throw new SyntaxError("no such address");
    };
    live.open();
    await settled();
    expect(world.state).toMatchObject({ at: "lost", attempt: 1 });
  });

  it("is made of a line on which something else than messages comes", async () => {
    const line = await connected();
    line.ears.heard("{");
    expect(line.isClosed).toBe(true);
    expect(world.state.at).toBe("lost");
  });

  it.each([1000, 1001, 1006, 1011, 1012, 1013, 4008, 4402])("after %i is come back from", async (code) => {
    (await connected()).ears.closed(code);
    expect(world.state.at).toBe("lost");
    await world.pass(2);
    (await reach()).says({ ...SOLO[2]!, events: [] });
    expect(world.state.at).toBe("live");
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
    line.ears.closed(code);
    expect(world.state).toEqual({ at: "refused", reason });
    await world.pass(100);
    expect(world.tickets).toBe(1);
    expect(REFUSALS).toContain(closingOf(code));
  });

  it("4401 is answered with a fresh ticket at once, but not for ever", async () => {
    live.open();
    await settled();
    world.line.ears.closed(4401);
    await world.pass(0);
    expect(world.tickets).toBe(2);
    world.line.ears.closed(4401);
    await world.pass(1);
    expect(world.tickets).toBe(2);
    await world.pass(1);
    expect(world.tickets).toBe(3);
  });

  it("can be tried again by hand", async () => {
    (await connected()).ears.closed(4429);
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
    world.troubles = [{ status }];
    live.open();
    await settled();
    expect(world.state).toEqual({ at: "refused", reason });
  });

  it("waits as long as the server says", async () => {
    world.troubles = [{ status: 429, retryAfter: 12 }, { status: 503 }, new Error("no network")];
    live.open();
    await settled();
    expect(world.state).toMatchObject({ at: "lost", retryAt: world.time + 12 });
    await world.pass(12);
    expect(world.state).toMatchObject({ attempt: 2, retryAt: world.time + 2 });
    await world.pass(2);
    expect(world.state).toMatchObject({ attempt: 3, retryAt: world.time + 4 });
    await world.pass(4);
    expect(world.lines).toHaveLength(1);
    expect(ticketTrouble({ status: 429, retryAfter: 0 }).wait).toBeNull();
  });
});

describe("a command", () => {
  it("is said with the newest seq, and is done when the view has come that shows it", async () => {
    const line = await connected();
    const told = outcome(live.give(CONCEDE));
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
    const told = outcome(live.give(CONCEDE));
    const error = { code: "server.too_often", rule: null, sentence: "…" };
    line.says({ type: "refused", command_id: "id-1", error, retry_after: 3 });
    await settled();
    expect(told.value).toEqual({ type: "refused", error, retryAfter: 3 });
    expect(outcome(live.give(ABANDON)).value).toBeNull();
    expect(line.said.at(-1)).toMatchObject({ command_id: "id-2", command: ABANDON });
  });

  it("that is stale is offered again with the new view", async () => {
    const line = await connected();
    const told = outcome(live.give(CONCEDE));
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
    const told = outcome(live.give(CONCEDE));
    const first = line.said.at(-1);
    line.ears.closed(1006);
    await world.pass(1);
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
    const told = outcome(live.give(CONCEDE));
    line.says({ type: "done", command_id: "id-1", seq: 6, repeated: false });
    line.ears.closed(1012);
    await world.pass(1);
    const again = await reach();
    again.says(SOLO[3]!);
    await settled();
    expect(again.said).toHaveLength(1);
    expect(told.value).toMatchObject({ type: "done", seq: 6 });
  });

  it("without an answer for long shows that the line is dead", async () => {
    const line = await connected();
    void live.give(CONCEDE);
    await world.pass(PATIENCE);
    expect(line.isClosed).toBe(true);
    expect(world.state.at).toBe("lost");
  });

  it("that was answered in time shows nothing", async () => {
    const line = await connected();
    void live.give(CONCEDE);
    line.says({ type: "done", command_id: "id-1", seq: 5, repeated: false });
    await world.pass(2 * PATIENCE);
    expect(world.state.at).toBe("live");
  });

  it("waits while the connection is lost", async () => {
    (await connected()).ears.closed(1006);
    const told = outcome(live.give(CONCEDE));
    await world.pass(1);
    const again = await reach();
    again.says({ ...SOLO[2]!, events: [] });
    expect(again.said.at(-1)).toMatchObject({ type: "command", expected_seq: 5 });
    expect(told.value).toBeNull();
  });

  it("is given one at a time, and after the first view", async () => {
    live.open();
    expect(await live.give(CONCEDE)).toEqual({ type: "busy" });
    const line = await reach();
    line.says(SOLO[0]!);
    void live.give(CONCEDE);
    expect(await live.give(ABANDON)).toEqual({ type: "busy" });
    expect(line.said).toHaveLength(2);
  });

  it("comes to nothing where the connection is refused or closed", async () => {
    const line = await connected();
    const told = outcome(live.give(CONCEDE));
    line.ears.closed(4403);
    await settled();
    expect(told.value).toEqual({ type: "gone" });
    expect(await live.give(CONCEDE)).toEqual({ type: "gone" });
  });
});

describe("leaving", () => {
  it("hangs up, and nothing comes back", async () => {
    const line = await connected();
    live.close();
    expect(line.isClosed).toBe(true);
    expect(world.state).toEqual({ at: "closed" });
    const heard = world.updates.length;
    line.says(SOLO[3]!);
    line.ears.closed(1000);
    await world.pass(100);
    expect(world.updates).toHaveLength(heard);
    expect(world.tickets).toBe(1);
  });

  it("while a ticket is fetched dials nobody", async () => {
    live.open();
    live.close();
    await settled();
    expect(world.lines).toEqual([]);
  });
});

describe("a line that says nothing", () => {
  it("is asked, and stays as long as it answers", async () => {
    const line = await connected();
    await world.pass(10 * BEAT);
    expect(line.pings).toBe(10);
    expect(world.states.map(({ at }) => at)).toEqual(["connecting", "live"]);
  });

  it("is told after a while, and lost when it is dead", async () => {
    const line = await connected();
    line.isDead = true;
    await world.pass(BEAT + HUSH - 0.1);
    expect(world.state).toEqual({ at: "live", silent: false });
    await world.pass(0.2);
    expect(world.state).toEqual({ at: "live", silent: true });
    await world.pass(DEAD - HUSH);
    expect(world.state.at).toBe("lost");
    expect(line.isClosed).toBe(true);
  });

  it("is well again with whatever is heard", async () => {
    const line = await connected();
    line.isDead = true;
    await world.pass(BEAT + HUSH + 1);
    line.isDead = false;
    line.says({ type: "pong" });
    expect(world.state).toEqual({ at: "live", silent: false });
    await world.pass(10 * BEAT);
    expect(world.state).toEqual({ at: "live", silent: false });
  });

  it("is told sooner when a command waits for its answer", async () => {
    const line = await connected();
    line.isDead = true;
    void live.give(CONCEDE);
    await world.pass(HUSH + 0.1);
    expect(world.state).toEqual({ at: "live", silent: true });
  });
});
