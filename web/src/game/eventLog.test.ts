import { describe, expect, it } from "vitest";

import { COMPANY, copy, IMPERIAL, RAVENSBURGER, SOLO, TIMED } from "../../tests/fixtures";
import { after, before, gardenOf } from "./garden";
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

function told(...updates: Update[]): readonly LogEntry[] {
  return updates.reduce(appendUpdate, EMPTY_LOG).entries;
}

const WHOLE = [RAVENSBURGER, IMPERIAL];

describe("the turns of a whole game", () => {
  it("are told with their rounds, and add up to the scores", () => {
    for (const { over } of WHOLE) {
      const game = over.view.game!;
      const turns = turnsOf(told(over));
      expect(turns).toHaveLength(18 * game.variant.seats);
      turns.forEach((turn, number) => {
        expect(turn.seat).toBe(number % game.variant.seats);
        expect(turn.round).toBe(1 + Math.floor(number / game.variant.seats));
      });
      game.scores.forEach((score, seat) => {
        const own = turns.filter((turn) => turn.seat === seat);
        expect(own.reduce((sum, turn) => sum + turn.points.nobles, 0)).toBe(score.nobles);
        expect(own.reduce((sum, turn) => sum + turn.points.rewards, 0)).toBe(score.rewards);
      });
    }
  });

  it("say where every noble came from", () => {
    for (const { over } of WHOLE) {
      const at = new Map<string, string>();
      for (const { seat, noble } of turnsOf(told(over))) {
        if (noble === null) continue;
        expect(noble.from).toBe(at.get(`${seat} ${noble.column}`) ?? "terrace");
        at.set(`${seat} ${noble.column}`, noble.to);
      }
      over.view.game!.gardens.forEach((garden, seat) => {
        const moved = [...at].filter(([key]) => key.startsWith(`${seat} `)).map(([, square]) => square);
        expect(moved.sort()).toEqual([...garden.nobles].sort());
      });
    }
  });

  it("say which tile was taken", () => {
    for (const { over } of WHOLE) {
      const turns = turnsOf(told(over));
      const structures = turns.filter((turn) => !turn.turn.gardener);
      expect(structures.every((turn) => turn.own === turn.turn.square)).toBe(true);
      const gardeners = turns.filter((turn) => turn.turn.gardener);
      expect(gardeners.every((turn) => turn.own !== turn.turn.square)).toBe(true);
    }
  });

  it("can be undone and played again in the gardens", () => {
    for (const { over } of WHOLE) {
      over.view.game!.gardens.forEach((view, seat) => {
        const end = gardenOf(view);
        const own = turnsOf(told(over)).filter((turn) => turn.seat === seat);
        const start = own.reduceRight((garden, { turn, noble }) => {
          const from = noble === null || noble.from === "terrace" ? null : noble.from;
          return before(garden, turn, from);
        }, end);
        expect(start.built).toEqual(start.printed);
        expect(start.nobles.size).toBe(0);
        expect(after(start, ...own.map(({ turn }) => turn))).toEqual(end);
      });
    }
  });

  it("tell the own cards that were drawn, and no others", () => {
    for (const turn of turnsOf(told(RAVENSBURGER.over)))
      expect(turn.draw === undefined).toBe(turn.seat !== 0);
    expect(turnsOf(told(RAVENSBURGER.over)).filter((turn) => turn.draw === null)).toHaveLength(2);
  });

  it("end the game with the last one", () => {
    const all = told(RAVENSBURGER.over);
    expect(all.at(-1)).toMatchObject({ kind: "turn", opens: "over", refill: null });
    expect(all.filter((entry) => entry.opens !== null).map((entry) => entry.opens)).toEqual([
      "lobby",
      "picking",
      "playing",
      "over",
    ]);
  });
});

describe("what is known beforehand", () => {
  it("tells every motif", () => {
    const updates = [SOLO[1]!, SOLO[2]!, SOLO[3]!, SOLO[4]!];
    for (const turn of turnsOf(told(...updates))) {
      expect(turn.motif).not.toBeNull();
      const display = SOLO[1]!.view.game!.display;
      if (turn.seq === SOLO[2]!.events[0]!.seq) expect(turn.motif).toBe(display[turn.turn.space]);
    }
  });

  it("comes to the same whether it is heard at once or bit by bit", () => {
    const all = SOLO.flatMap((update) => update.events);
    const once = told({ ...SOLO.at(-1)!, events: all });
    const bits = told(...SOLO);
    expect(once.map((entry) => [entry.kind, entry.seq])).toEqual(
      bits.map((entry) => [entry.kind, entry.seq]),
    );
    turnsOf(once).forEach((turn, number) => {
      expect(turn).toMatchObject(turnsOf(bits)[number]!);
    });
  });

  it("is passed over when it is told again", () => {
    const log = SOLO.reduce(appendUpdate, EMPTY_LOG);
    expect(appendUpdate(log, { ...SOLO.at(-1)!, events: SOLO.flatMap((update) => update.events) })).toEqual(
      log,
    );
  });
});

describe("a turn that was taken back", () => {
  const all = told(...SOLO);
  const taken = all.find((entry) => entry.kind === "take_back")!;

  it("is marked, with all that followed it", () => {
    const played = SOLO[3]!.events.filter((event) => event.type === "play").map((event) => event.seq);
    expect(taken).toMatchObject({ kind: "take_back", seat: 0, turns: played.slice(-1) });
    const marked = all.filter((entry) => entry.kind === "turn" && entry.undone).map((entry) => entry.seq);
    expect(marked).toEqual(played.slice(-1));
    expect(standingEntries(all)).toHaveLength(all.length - 1);
  });

  it("leaves the rounds as they stand", () => {
    expect(turnsOf(all).map((turn) => [turn.seat, turn.round])).toEqual([
      [0, 1],
      [1, 1],
      [0, 2],
      [1, 2],
      [0, 3],
      [1, 3],
    ]);
  });

  it("takes the turn of the one who played after it along", () => {
    const update = copy(SOLO[3]!);
    const [mine, theirs, , back] = update.events as [TableEvent, TableEvent, TableEvent, TableEvent];
    const short = {
      ...update,
      events: [mine, theirs, { ...back, seq: theirs.seq + 1 }],
      seq: theirs.seq + 1,
    };
    const found = told(...SOLO.slice(0, 3), short).find((entry) => entry.kind === "take_back");
    expect(found).toMatchObject({ turns: [mine.seq, theirs.seq] });
  });
});

describe("who did it", () => {
  it("is a person, a computer player, or a stand-in", () => {
    const turns = turnsOf(told(...SOLO));
    expect(turns.map((turn) => turn.by).slice(0, 2)).toEqual(["person", "computer"]);
    const late = told(TIMED);
    expect(late.find((entry) => entry.kind === "time_out")).toMatchObject({
      target: 1,
      by: "house",
      chair: null,
    });
    expect(turnsOf(late).map((turn) => turn.by)).toEqual(["person", "stand_in"]);
    expect(late.at(-1)).toMatchObject({ kind: "return", chair: 1 });
  });
});

describe("what else happens at a table", () => {
  const all = told(COMPANY);
  const kinds = all.map((entry) => entry.kind);

  it("is all told", () => {
    expect(kinds).toEqual(COMPANY.events.map((event) => (event.type === "play" ? "turn" : event.type)));
    expect(all.find((entry) => entry.kind === "sit")).toMatchObject({ target: 1, name: "Bob" });
    expect(all.find((entry) => entry.kind === "appoint")).toMatchObject({
      target: 2,
      player: "level:1",
      name: "Moss",
    });
    expect(all.at(-1)).toMatchObject({ kind: "abandon", opens: "over" });
    expect(told(...SOLO).at(-1)).toMatchObject({ kind: "rematch", table: "00000000000000aa" });
  });

  it("says of a vote whether a stand-in plays now", () => {
    expect(all.find((entry) => entry.kind === "vote")).toMatchObject({ target: 2, carried: true });
  });
});

describe("a gap", () => {
  it("is told as one, and nothing is made up", () => {
    const late = told({ ...RAVENSBURGER.over, events: RAVENSBURGER.over.events.slice(-4) });
    expect(late[0]).toMatchObject({ kind: "missed" });
    for (const turn of turnsOf(late)) {
      expect(turn.noble?.from ?? null).toBeNull();
    }
  });
});

describe("since my last turn", () => {
  it("is what others did, and nothing of before", () => {
    const all = told({ ...IMPERIAL.over, events: IMPERIAL.over.events.slice(0, 40) });
    for (const seat of [0, 1, 2, 3]) {
      const since = turnsOf(sinceMyLastTurn(all, seat));
      expect(since.every((turn) => turn.seat !== seat)).toBe(true);
      expect(since.length).toBeLessThan(4);
    }
    const mover = (turnsOf(all).at(-1)!.seat! + 1) % 4;
    expect(turnsOf(sinceMyLastTurn(all, mover))).toHaveLength(3);
  });

  it("is everything since the game began where one has not played yet", () => {
    const start = IMPERIAL.over.events.findIndex((event) => event.type === "play");
    const all = told({ ...IMPERIAL.over, events: IMPERIAL.over.events.slice(0, start + 2) });
    expect(sinceMyLastTurn(all, 2).map((entry) => entry.kind)).toEqual(["turn", "turn"]);
  });

  it("has the turns that a stand-in has played", () => {
    expect(turnsOf(sinceMyLastTurn(told(TIMED), 1)).map((turn) => turn.seat)).toEqual([0, 1]);
  });

  it("is the last round for who looks on", () => {
    const turns = turnsOf(sinceMyLastTurn(told(IMPERIAL.over), null));
    expect(turns.map((turn) => turn.seat)).toEqual([0, 1, 2, 3]);
  });
});

/** As much of an entry as is needed here. */
const entry = (seq: number, kind = "turn", undone = false) => ({ seq, kind, undone }) as unknown as LogEntry;

describe("looking back", () => {
  const entries = [entry(3, "ready"), entry(4), entry(5, "vote"), entry(6), entry(7, "turn", true), entry(9)];

  it("leads from a line of the log to the position after it", () => {
    expect([4, 6, 9].map((seq) => positionOf(entries, seq, 3))).toEqual([1, 2, 3]);
  });

  it("leads nowhere from what is no turn, or was taken back", () => {
    expect([3, 5, 7, 99].map((seq) => positionOf(entries, seq, 3))).toEqual([null, null, null, null]);
  });

  it("counts from the end, where the beginning is not told", () => {
    expect([4, 6, 9].map((seq) => positionOf(entries, seq, 30))).toEqual([28, 29, 30]);
    expect(turnAt(entries, 28, 30)).toBe(entries[1]);
    expect(turnAt(entries, 27, 30)).toBeUndefined();
  });

  it("knows the turn that led to a position", () => {
    expect([0, 1, 2, 3].map((turn) => turnAt(entries, turn, 3)?.seq)).toEqual([undefined, 4, 6, 9]);
  });
});
