import { describe, expect, it } from "vitest";

import { COMPANY, copy, IMPERIAL, RAVENSBURGER, SOLO, TIMED } from "../../tests/fixtures";
import { after, before, gardenOf } from "./garden";
import { ownSquare } from "./notation";
import type { TableEvent, Update } from "../net/types";
import {
  EMPTY_LOG,
  sinceMyLastTurn,
  standingEntries,
  appendUpdate,
  turnsOf,
  type LogEntry,
  positionOf,
  turnAt,
} from "./eventLog";

function entriesOf(...updates: Update[]): readonly LogEntry[] {
  return updates.reduce(appendUpdate, EMPTY_LOG).entries;
}

const WHOLE = [RAVENSBURGER, IMPERIAL];

describe("the turns of a whole game", () => {
  it("have the seats in turn order, and add up to the scores", () => {
    for (const { over } of WHOLE) {
      const game = over.view.game!;
      const turns = turnsOf(entriesOf(over));
      expect(turns).toHaveLength(18 * game.variant.seats);
      turns.forEach((turn, number) => {
        expect(turn.seat).toBe(number % game.variant.seats);
      });
      game.scores.forEach((score, seat) => {
        const own = turns.filter((turn) => turn.seat === seat);
        expect(own.reduce((sum, turn) => sum + turn.points.nobles, 0)).toBe(score.nobles);
        expect(own.reduce((sum, turn) => sum + turn.points.rewards, 0)).toBe(score.rewards);
      });
    }
  });

  it("know where every noble came from", () => {
    for (const { over } of WHOLE) {
      const at = new Map<string, string>();
      for (const { seat, turn, nobleFrom } of turnsOf(entriesOf(over))) {
        if (turn.noble === null) continue;
        const noble = `${seat} ${turn.noble.charAt(0)}`;
        expect(nobleFrom).toBe(at.get(noble) ?? "terrace");
        at.set(noble, turn.noble);
      }
      over.view.game!.gardens.forEach((garden, seat) => {
        const moved = [...at].filter(([key]) => key.startsWith(`${seat} `)).map(([, square]) => square);
        expect(moved.sort()).toEqual([...garden.nobles].sort());
      });
    }
  });

  it("know the motif of the tile", () => {
    for (const { over } of WHOLE) {
      for (const { turn, motif } of turnsOf(entriesOf(over)))
        expect(ownSquare(motif, turn.space) === turn.square).toBe(!turn.gardener);
    }
  });

  it("can be undone and replayed in the gardens", () => {
    for (const { over } of WHOLE) {
      over.view.game!.gardens.forEach((view, seat) => {
        const end = gardenOf(view);
        const own = turnsOf(entriesOf(over)).filter((turn) => turn.seat === seat);
        const start = own.reduceRight(
          (garden, { turn, nobleFrom }) => before(garden, turn, nobleFrom === "terrace" ? null : nobleFrom),
          end,
        );
        expect(start.built).toEqual(start.printed);
        expect(start.nobles.size).toBe(0);
        expect(after(start, ...own.map(({ turn }) => turn))).toEqual(end);
      });
    }
  });

  it("end the game with the last turn", () => {
    const all = entriesOf(RAVENSBURGER.over);
    expect(all.at(-1)).toMatchObject({ kind: "turn", opens: "over", refill: null });
    expect(all.filter((entry) => entry.opens !== null).map((entry) => entry.opens)).toEqual([
      "lobby",
      "picking",
      "playing",
      "over",
    ]);
  });
});

describe("updates", () => {
  it("have the motif of every tile", () => {
    const updates = [SOLO[1]!, SOLO[2]!, SOLO[3]!, SOLO[4]!];
    for (const turn of turnsOf(entriesOf(...updates))) {
      expect(turn.motif).not.toBeNull();
      const display = SOLO[1]!.view.game!.display;
      if (turn.seq === SOLO[2]!.events[0]!.seq) expect(turn.motif).toBe(display[turn.turn.space]);
    }
  });

  it("lead to the same log at once or one by one", () => {
    const all = SOLO.flatMap((update) => update.events);
    const once = entriesOf({ ...SOLO.at(-1)!, events: all });
    const bits = entriesOf(...SOLO);
    expect(once.map((entry) => [entry.kind, entry.seq])).toEqual(
      bits.map((entry) => [entry.kind, entry.seq]),
    );
    turnsOf(once).forEach((turn, number) => {
      expect(turn).toMatchObject(turnsOf(bits)[number]!);
    });
  });

  it("that were already received are skipped", () => {
    const log = SOLO.reduce(appendUpdate, EMPTY_LOG);
    expect(appendUpdate(log, { ...SOLO.at(-1)!, events: SOLO.flatMap((update) => update.events) })).toEqual(
      log,
    );
  });
});

describe("a turn that was taken back", () => {
  const all = entriesOf(...SOLO);
  const taken = all.find((entry) => entry.kind === "take_back")!;

  it("is marked, with all turns after it", () => {
    const played = SOLO[3]!.events.filter((event) => event.type === "play").map((event) => event.seq);
    expect(taken).toMatchObject({ kind: "take_back", seat: 0 });
    const marked = all.filter((entry) => entry.kind === "turn" && entry.undone).map((entry) => entry.seq);
    expect(marked).toEqual(played.slice(-1));
    expect(standingEntries(all)).toHaveLength(all.length - 1);
  });

  it("leaves the other turns in turn order", () => {
    expect(turnsOf(all).map((turn) => turn.seat)).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it("undoes the later turn of another player too", () => {
    const update = copy(SOLO[3]!);
    const [mine, theirs, , back] = update.events as [TableEvent, TableEvent, TableEvent, TableEvent];
    const short = {
      ...update,
      events: [mine, theirs, { ...back, seq: theirs.seq + 1 }],
      seq: theirs.seq + 1,
    };
    const undone = entriesOf(...SOLO.slice(0, 3), short).filter(
      (entry) => entry.kind === "turn" && entry.undone,
    );
    expect(undone.map((entry) => entry.seq)).toEqual([mine.seq, theirs.seq]);
  });
});

it("a turn is by a person, a computer player or a stand-in", () => {
  const turns = turnsOf(entriesOf(...SOLO));
  expect(turns.map((turn) => turn.by).slice(0, 2)).toEqual(["person", "computer"]);
  const late = entriesOf(TIMED);
  expect(late.find((entry) => entry.kind === "time_out")).toMatchObject({
    target: 1,
    by: "house",
    chair: null,
  });
  expect(turnsOf(late).map((turn) => turn.by)).toEqual(["person", "stand_in"]);
  expect(late.at(-1)).toMatchObject({ kind: "return", chair: 1 });
});

describe("other events", () => {
  const all = entriesOf(COMPANY);
  const kinds = all.map((entry) => entry.kind);

  it("have an entry each", () => {
    expect(kinds).toEqual(COMPANY.events.map((event) => (event.type === "play" ? "turn" : event.type)));
    expect(all.at(-1)).toMatchObject({ kind: "abandon", opens: "over" });
    expect(entriesOf(...SOLO).at(-1)!.kind).toBe("rematch");
  });

  it("include whether a vote was carried", () => {
    expect(all.find((entry) => entry.kind === "vote")).toMatchObject({ target: 2, carried: true });
  });
});

it("a gap has its own entry, and unknown positions stay unknown", () => {
  const late = entriesOf({ ...RAVENSBURGER.over, events: RAVENSBURGER.over.events.slice(-4) });
  expect(late[0]).toMatchObject({ kind: "missed" });
  for (const turn of turnsOf(late)) {
    expect(turn.nobleFrom).toBeNull();
  }
});

describe("since my last turn", () => {
  it("contains the turns of others since then", () => {
    const all = entriesOf({ ...IMPERIAL.over, events: IMPERIAL.over.events.slice(0, 40) });
    for (const seat of [0, 1, 2, 3]) {
      const since = turnsOf(sinceMyLastTurn(all, seat));
      expect(since.every((turn) => turn.seat !== seat)).toBe(true);
      expect(since.length).toBeLessThan(4);
    }
    const mover = (turnsOf(all).at(-1)!.seat! + 1) % 4;
    expect(turnsOf(sinceMyLastTurn(all, mover))).toHaveLength(3);
  });

  it("contains everything since the start before the first turn", () => {
    const start = IMPERIAL.over.events.findIndex((event) => event.type === "play");
    const all = entriesOf({ ...IMPERIAL.over, events: IMPERIAL.over.events.slice(0, start + 2) });
    expect(sinceMyLastTurn(all, 2).map((entry) => entry.kind)).toEqual(["turn", "turn"]);
  });

  it("contains the turns of a stand-in", () => {
    expect(turnsOf(sinceMyLastTurn(entriesOf(TIMED), 1)).map((turn) => turn.seat)).toEqual([0, 1]);
  });

  it("is the last round for spectators", () => {
    const turns = turnsOf(sinceMyLastTurn(entriesOf(IMPERIAL.over), null));
    expect(turns.map((turn) => turn.seat)).toEqual([0, 1, 2, 3]);
  });
});

/** A minimal entry. */
const entry = (seq: number, kind = "turn", undone = false) => ({ seq, kind, undone }) as unknown as LogEntry;

describe("looking back", () => {
  const entries = [entry(3, "ready"), entry(4), entry(5, "vote"), entry(6), entry(7, "turn", true), entry(9)];

  it("leads from an entry to the position after it", () => {
    expect([4, 6, 9].map((seq) => positionOf(entries, seq, 3))).toEqual([1, 2, 3]);
  });

  it("is not possible from other entries, or from turns that were taken back", () => {
    expect([3, 5, 7, 99].map((seq) => positionOf(entries, seq, 3))).toEqual([null, null, null, null]);
  });

  it("counts from the end if the beginning is missing", () => {
    expect([4, 6, 9].map((seq) => positionOf(entries, seq, 30))).toEqual([28, 29, 30]);
    expect(turnAt(entries, 28, 30)).toBe(entries[1]);
    expect(turnAt(entries, 27, 30)).toBeUndefined();
  });

  it("knows the turn that led to a position", () => {
    expect([0, 1, 2, 3].map((turn) => turnAt(entries, turn, 3)?.seq)).toEqual([undefined, 4, 6, 9]);
  });
});
