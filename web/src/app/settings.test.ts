import { describe, expect, it } from "vitest";

import {
  browserLanguage,
  DEFAULTS,
  MOST_LINKS,
  Settings,
  type GameSettings,
  type KnownLink,
  type KeyValueStore,
} from "./settings";

class Drawer implements KeyValueStore {
  readonly things = new Map<string, string>();

  getItem(key: string): string | null {
    return this.things.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.things.set(key, value);
  }

  removeItem(key: string): void {
    this.things.delete(key);
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
  it("follow those that another tab has stored", () => {
    const drawer = new Drawer();
    const [here, there] = [new Settings(drawer), new Settings(drawer)];
    const heard: string[] = [];
    here.subscribe(({ theme }) => heard.push(theme));
    there.setPreferences({ theme: "dark", language: "fr" });
    there.saveLink(seat("t", 0, "s"));
    expect(here.preferences.language).toBeNull();
    for (const key of drawer.things.keys()) here.reload(key);
    expect(heard).toEqual(["dark"]);
    expect(here.preferences).toEqual(there.preferences);
    expect(here.linksTo("t")).toEqual(there.linksTo("t"));
  });

  it("are kept over a reload", () => {
    const drawer = new Drawer();
    const wanted = {
      language: "fr",
      theme: "dark",
      speed: "fast",
      confirmsItself: true,
      sound: false,
      volume: 80,
      calls: true,
      name: "Ada",
      colour: "teal",
    } as const;
    new Settings(drawer).setPreferences({ ...wanted, lastGame: GAME });
    expect(new Settings(drawer).preferences).toEqual({ ...wanted, lastGame: GAME });
  });

  it("keep the file of one's own boards, if it is one", () => {
    const drawer = new Drawer();
    const kept = (boards: unknown) => {
      new Settings(drawer).setPreferences({ lastGame: { ...GAME, boards } as GameSettings });
      return new Settings(drawer).preferences.lastGame.boards;
    };
    expect(kept({ name: "my box", file: "[boards]" })).toEqual({ name: "my box", file: "[boards]" });
    expect(kept({ name: "my box" })).toBeNull();
  });

  it("are the usual ones at first, and tell of every change", () => {
    const settings = new Settings(new Drawer());
    expect(settings.preferences).toEqual(DEFAULTS);
    const heard: string[] = [];
    const end = settings.subscribe(({ theme }) => heard.push(theme));
    settings.setPreferences({ theme: "light" });
    end();
    settings.setPreferences({ theme: "dark" });
    expect(heard).toEqual(["light"]);
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
  ])("are the usual ones where %j was kept", (broken) => {
    const drawer = new Drawer();
    drawer.setItem("sanssouci.preferences", broken);
    drawer.setItem("sanssouci.links", broken);
    const settings = new Settings(drawer);
    expect(settings.preferences).toEqual(DEFAULTS);
    expect(settings.linksTo("t")).toEqual([]);
  });

  it("lose only what is not right", () => {
    const drawer = new Drawer();
    const kept = {
      theme: "dark",
      speed: "warp",
      sound: "yes",
      volume: 101,
      calls: 1,
      lastGame: { ...GAME, visibility: "secret", clock: { pace: "turn", amount: -1 }, first: 4 },
    };
    drawer.setItem("sanssouci.preferences", JSON.stringify(kept));
    expect(new Settings(drawer).preferences).toEqual({
      ...DEFAULTS,
      theme: "dark",
      lastGame: { ...GAME, visibility: "link", clock: { pace: "none", amount: 0 }, first: null },
    });
  });

  it("never make a game that cannot be set up", () => {
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
    ["a storage that is forbidden", FORBIDDEN],
  ])("hold for the page with %s", (_, store) => {
    const settings = new Settings(store);
    settings.setPreferences({ theme: "dark" });
    settings.saveLink(seat("t", 0, "s"));
    settings.saveStaged("t", 0, { past: [] });
    settings.removeStaged("t");
    expect(settings.preferences.theme).toBe("dark");
    expect(settings.linksTo("t")).toHaveLength(1);
  });
});

describe("the browser's language", () => {
  it.each([
    [["de-CH", "en"], "de"],
    [["it", "ES-mx"], "es"],
    [["fr"], "fr"],
    [["it", "nl"], "en"],
    [[], "en"],
  ])("of %j is %s", (wanted, language) => {
    expect(browserLanguage(wanted)).toBe(language);
  });
});

describe("links", () => {
  it("are kept by table, and a renewed one takes the old one's place", () => {
    const drawer = new Drawer();
    const settings = new Settings(drawer);
    settings.saveLink(seat("t", 0, "old"));
    settings.saveLink(seat("t", 1, "other"));
    settings.saveLink({ table: "t", kind: "join", chair: null, secret: "join" });
    settings.saveLink(seat("u", 0, "elsewhere"));
    settings.saveLink(seat("t", 0, "new"));
    expect(new Settings(drawer).linksTo("t").map((link) => link.secret)).toEqual(["new", "join", "other"]);
    settings.forgetTable("t");
    expect(new Settings(drawer).linksTo("t")).toEqual([]);
    expect(settings.linksTo("u")).toHaveLength(1);
  });

  it("are not kept without end", () => {
    const settings = new Settings(new Drawer());
    for (let table = 0; table <= MOST_LINKS; table += 1) settings.saveLink(seat(`t${table}`, 0, "s"));
    expect(settings.linksTo("t0")).toEqual([]);
    expect(settings.linksTo("t1")).toHaveLength(1);
  });

  it("are forgotten with everything else", () => {
    const drawer = new Drawer();
    const settings = new Settings(drawer);
    settings.setPreferences({ name: "Ada" });
    settings.saveLink(seat("t", 0, "s"));
    settings.saveStaged("t", 2, { past: [] });
    settings.saveSheet({ seats: [{ name: "Ada" }] });
    expect(new Settings(drawer).sheet).toEqual({ seats: [{ name: "Ada" }] });
    settings.saveLessons(["ways-1"]);
    expect(new Settings(drawer).lessons).toEqual(["ways-1"]);
    settings.forgetAll();
    expect(settings.sheet).toBeNull();
    expect(settings.lessons).toBeNull();
    expect([...drawer.things.values()].join()).not.toContain("Ada");
    expect(drawer.things.get("sanssouci.links")).toBe("[]");
    expect(settings.staged("t", 2)).toBeNull();
  });
});

describe("a staged turn", () => {
  it("is kept for its table and seat until it is dropped", () => {
    const settings = new Settings(new Drawer());
    settings.saveStaged("t", 1, { past: [1] });
    expect(settings.staged("t", 1)).toEqual({ past: [1] });
    expect(settings.staged("t", 0)).toBeNull();
    settings.removeStaged("t", 0);
    expect(settings.staged("t", 1)).not.toBeNull();
    settings.removeStaged("t");
    expect(settings.staged("t", 1)).toBeNull();
  });
});
