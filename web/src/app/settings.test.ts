import { describe, expect, it } from "vitest";

import {
  browserLanguage,
  DEFAULTS,
  MOST_LINKS,
  MOST_NONCES,
  Settings,
  type GameSettings,
  type KnownLink,
  type KeyValueStore,
} from "./settings";

class MemoryStore implements KeyValueStore {
  readonly values = new Map<string, string>();

  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }

  removeItem(key: string): void {
    this.values.delete(key);
  }
}

const FORBIDDEN: KeyValueStore = {
  getItem: () => {
    throw new Error("storage is forbidden");
  },
  setItem: () => {
    throw new Error("storage is full");
  },
  removeItem: () => {
    throw new Error("storage is forbidden");
  },
};

const GAME: GameSettings = {
  edition: "imperial",
  expansions: ["rewards", "wild_boar"],
  boards: "bosquet",
  chairs: [
    { sitter: "person", name: "Ada", player: null, colour: "grey" },
    { sitter: "open", name: "", player: null },
    { sitter: "computer", name: "Moss", player: "level:3" },
  ],
  clock: { pace: "turn", amount: 90 },
  hints: false,
  visibility: "open",
  first: 2,
};

function seat(table: string, chair: number, secret: string): KnownLink {
  return { table, kind: "seat", chair, secret };
}

describe("preferences", () => {
  it("follow changes in another tab", () => {
    const store = new MemoryStore();
    const [here, there] = [new Settings(store), new Settings(store)];
    const received: string[] = [];
    here.subscribe(({ theme }) => received.push(theme));
    there.setPreferences({ theme: "dark", language: "fr" });
    there.saveLink(seat("t", 0, "s"));
    expect(here.preferences.language).toBeNull();
    for (const key of store.values.keys()) here.reload(key);
    expect(received).toEqual(["dark"]);
    expect(here.preferences).toEqual(there.preferences);
    expect(here.linksTo("t")).toEqual(there.linksTo("t"));
  });

  it("survive a reload", () => {
    const store = new MemoryStore();
    const wanted = {
      language: "fr",
      theme: "dark",
      speed: "fast",
      scenes: false,
      confirmsItself: true,
      sound: false,
      volume: 80,
      logFolded: false,
      scoresFolded: true,
      calls: true,
      name: "Ada",
      colour: "teal",
    } as const;
    new Settings(store).setPreferences({ ...wanted, lastGame: GAME });
    expect(new Settings(store).preferences).toEqual({ ...wanted, lastGame: GAME });
  });

  it("keep a valid file of custom boards", () => {
    const store = new MemoryStore();
    const saved = (boards: unknown) => {
      new Settings(store).setPreferences({ lastGame: { ...GAME, boards } as GameSettings });
      return new Settings(store).preferences.lastGame.boards;
    };
    expect(saved({ name: "my box", file: "[boards]" })).toEqual({ name: "my box", file: "[boards]" });
    expect(saved({ name: "my box" })).toBeNull();
  });

  it("are the defaults at first, and notify subscribers of changes", () => {
    const settings = new Settings(new MemoryStore());
    expect(settings.preferences).toEqual(DEFAULTS);
    const received: string[] = [];
    const end = settings.subscribe(({ theme }) => received.push(theme));
    settings.setPreferences({ theme: "light" });
    end();
    settings.setPreferences({ theme: "dark" });
    expect(received).toEqual(["light"]);
  });

  it.each([
    "",
    "{",
    "null",
    "3",
    '"x"',
    "[]",
    "[1, 2]",
    '{"theme": 7}',
    '{"lastGame": [3]}',
    '{"lastGame": {"chairs": [1]}}',
  ])("are the defaults if %j was stored", (broken) => {
    const store = new MemoryStore();
    store.setItem("sanssouci.preferences", broken);
    store.setItem("sanssouci.links", broken);
    const settings = new Settings(store);
    expect(settings.preferences).toEqual(DEFAULTS);
    expect(settings.linksTo("t")).toEqual([]);
  });

  it("lose only invalid values", () => {
    const store = new MemoryStore();
    const saved = {
      theme: "dark",
      speed: "warp",
      sound: "yes",
      volume: 101,
      calls: 1,
      lastGame: { ...GAME, visibility: "secret", clock: { pace: "turn", amount: -1 }, first: 4 },
    };
    store.setItem("sanssouci.preferences", JSON.stringify(saved));
    expect(new Settings(store).preferences).toEqual({
      ...DEFAULTS,
      theme: "dark",
      lastGame: { ...GAME, visibility: "link", clock: { pace: "none", amount: 0 }, first: null },
    });
  });

  it("never lead to a game that cannot be set up", () => {
    const settings = new Settings(null);
    settings.setPreferences({ lastGame: { ...GAME, edition: "ravensburger" } });
    expect(settings.preferences.lastGame.expansions).toEqual(["rewards"]);
    settings.setPreferences({ lastGame: { ...GAME, chairs: [GAME.chairs[0]!] } });
    expect(settings.preferences.lastGame.chairs).toEqual(DEFAULTS.lastGame.chairs);
    settings.setPreferences({
      lastGame: { ...GAME, chairs: [GAME.chairs[0]!, { sitter: "computer", name: "", player: null }] },
    });
    expect(settings.preferences.lastGame.chairs).toEqual(DEFAULTS.lastGame.chairs);
  });

  it.each([
    ["no storage", null],
    ["forbidden storage", FORBIDDEN],
  ])("last until the page is closed with %s", (_, store) => {
    const settings = new Settings(store);
    settings.setPreferences({ theme: "dark" });
    settings.saveLink(seat("t", 0, "s"));
    settings.staged("t", 0).save({ past: [] });
    settings.staged("t", 0).remove();
    expect(settings.preferences.theme).toBe("dark");
    expect(settings.linksTo("t")).toHaveLength(1);
  });
});

it.each([
  [["de-CH", "en"], "de"],
  [["it", "ES-mx"], "es"],
  [["fr"], "fr"],
  [["it", "nl"], "en"],
  [[], "en"],
])("the language for the browser languages %j is %s", (wanted, language) => {
  expect(browserLanguage(wanted)).toBe(language);
});

describe("nonces", () => {
  const kept = (table: string, commitment: string) => ({
    table,
    commitment,
    nonce: `n${commitment}`,
    deal: null,
  });

  it("survive a reload, each under its commitment, and are forgotten with their table", () => {
    const store = new MemoryStore();
    const settings = new Settings(store);
    for (const commitment of ["a", "b"]) settings.saveNonce(kept("t", commitment));
    settings.saveNonce({ ...kept("t", "a"), deal: "d" });
    expect(new Settings(store).nonceOf("a")).toEqual({ ...kept("t", "a"), deal: "d" });
    expect(new Settings(store).nonceOf("b")?.nonce).toBe("nb");
    expect([settings.hasNonces("t"), settings.hasNonces("u")]).toEqual([true, false]);
    settings.forgetTable("t");
    expect(new Settings(store).nonceOf("a")).toBeUndefined();
  });

  it("are not kept without end", () => {
    const settings = new Settings(null);
    for (let number = 0; number <= MOST_NONCES; number += 1) settings.saveNonce(kept("t", `c${number}`));
    expect(settings.nonceOf("c0")).toBeUndefined();
    expect(settings.nonceOf("c1")).toBeDefined();
  });
});

describe("links", () => {
  it("are stored by table, and a renewed one replaces the old one", () => {
    const store = new MemoryStore();
    const settings = new Settings(store);
    settings.saveLink(seat("t", 0, "old"));
    settings.saveLink(seat("t", 1, "other"));
    settings.saveLink({ table: "t", kind: "join", chair: null, secret: "join" });
    settings.saveLink(seat("u", 0, "elsewhere"));
    settings.saveLink(seat("t", 0, "new"));
    expect(new Settings(store).linksTo("t").map((link) => link.secret)).toEqual(["new", "join", "other"]);
    settings.forgetTable("t");
    expect(new Settings(store).linksTo("t")).toEqual([]);
    expect(settings.linksTo("u")).toHaveLength(1);
  });

  it("are limited in number", () => {
    const settings = new Settings(new MemoryStore());
    for (let table = 0; table <= MOST_LINKS; table += 1) settings.saveLink(seat(`t${table}`, 0, "s"));
    expect(settings.linksTo("t0")).toEqual([]);
    expect(settings.linksTo("t1")).toHaveLength(1);
  });

  it("are forgotten with their table, and so are its staged turns", () => {
    const store = new MemoryStore();
    const settings = new Settings(store);
    settings.saveLink(seat("t", 0, "s"));
    settings.staged("t", 2).save({ past: [] });
    settings.forgetTable("t");
    expect(store.values.get("sanssouci.links")).toBe("[]");
    expect(settings.staged("t", 2).value).toBeNull();
  });
});

describe("other values", () => {
  it.each(["sheet", "daily", "tutorial", "lessons"] as const)(
    "are stored until they are removed: %s",
    (name) => {
      const store = new MemoryStore();
      new Settings(store)[name].save([{ name: "Ada" }]);
      expect(new Settings(store)[name].value).toEqual([{ name: "Ada" }]);
      new Settings(store)[name].remove();
      expect(store.values.size).toBe(0);
    },
  );

  it("such as a staged turn are stored by table and seat", () => {
    const settings = new Settings(new MemoryStore());
    settings.staged("t", 1).save({ past: [1] });
    expect(settings.staged("t", 1).value).toEqual({ past: [1] });
    expect(settings.staged("t", 0).value).toBeNull();
    settings.staged("t", 0).remove();
    expect(settings.staged("t", 1).value).not.toBeNull();
    settings.staged("t", 1).remove();
    expect(settings.staged("t", 1).value).toBeNull();
  });
});
