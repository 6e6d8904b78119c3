/** Storage and addresses of earlier versions, from tests/compatibility/files, still work. */

import { describe, expect, it } from "vitest";

import { copy, RAVENSBURGER } from "../../tests/fixtures";
import type { Options, TableView } from "../net/types";
import { parseRoute } from "./router";
import { readFragment, readStored, toStored, writeFragment } from "../features/boards/boardsDraft";
import { readGames } from "../features/daily/dailyGames";
import { readProgress } from "../features/tutorial/tutorial";
import { readSolved } from "../features/lessons/lessons";
import { Settings } from "./settings";
import { readSheet } from "../features/scoreSheet/scoreSheet";
import { Staging } from "../game/staging";

const STORED = import.meta.glob<string>("../../../tests/compatibility/files/*/browser-storage.json", {
  query: "?raw",
  import: "default",
  eager: true,
});
const ADDRESSES = import.meta.glob<string>("../../../tests/compatibility/files/*/addresses.json", {
  query: "?raw",
  import: "default",
  eager: true,
});
const SOURCES = import.meta.glob<string>(
  ["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts", "!../net/schema.d.ts"],
  { query: "?raw", import: "default", eager: true },
);
const GENERATIONS = Object.keys(STORED).sort();
const LATEST = GENERATIONS.at(-1)!;

type Texts = Readonly<Record<string, string>>;

interface Stored {
  readonly localStorage: Texts;
  readonly sessionStorage: Texts;
}

function storedBy(generation: string): Stored {
  return JSON.parse(STORED[generation]!) as Stored;
}

/** A key without the table and seat that some end with. */
function family(key: string): string {
  return key.replace(/\.[0-9a-f]{16}\.[0-3]$/, ".");
}

/** The settings of a browser with these stored texts. */
function settingsOf(texts: Texts): Settings {
  const store = { getItem: (key: string) => texts[key] ?? null, setItem: () => {}, removeItem: () => {} };
  return new Settings(store);
}

/** A table at which the staged turn is possible. */
function viewAt(table: string, seat: number, turn: number): TableView {
  const view = copy(RAVENSBURGER.views[0]!);
  const options: Options = {
    cards: { "24": [0] },
    spaces: { "0": ["b2"] },
    boar: {},
    stops: { b2: { d1: 1 } },
  };
  return { ...view, table, you: { ...view.you, seat }, game: { ...view.game!, turn }, options };
}

describe.each(GENERATIONS)("the storage of %s", (generation) => {
  const { localStorage, sessionStorage } = storedBy(generation);
  const settings = settingsOf(localStorage);
  const stored = (key: string) => JSON.parse(localStorage[key] ?? "null") as never;

  it("has all preferences", () => {
    expect(settings.preferences).toMatchObject(stored("sanssouci.preferences"));
  });

  it("has the links to every table", () => {
    const links: readonly { readonly table: string }[] = stored("sanssouci.links");
    for (const { table } of links) {
      expect(settings.linksTo(table)).toMatchObject(links.filter((link) => link.table === table));
    }
    expect(links.length).toBeGreaterThan(3);
  });

  it("has the score sheet, daily games, tutorial progress and solved lessons", () => {
    expect(readSheet(settings.sheet.value)).toMatchObject(stored("sanssouci.sheet"));
    expect(readGames(settings.daily.value)).toMatchObject(stored("sanssouci.daily"));
    expect(readProgress(settings.tutorial.value)).toMatchObject(stored("sanssouci.guide"));
    expect([...readSolved(settings.lessons.value)]).toEqual(stored("sanssouci.lessons"));
  });

  it("has the sets of the board editor, and links to them", () => {
    const sets: readonly object[] = stored("sanssouci.boards") ?? [];
    expect(readStored(settings.boards.value).map(toStored)).toEqual(sets);
    const addresses = JSON.parse(ADDRESSES[generation.replace("browser-storage", "addresses")]!) as object;
    for (const address of Object.keys(addresses).filter((one) => one.startsWith("/boards#")))
      expect(`/boards#${writeFragment(readFragment(address.slice("/boards#".length))!)}`).toBe(address);
  });

  it("has the nonces that are still to be revealed", () => {
    const nonces: readonly { readonly commitment: string }[] = stored("sanssouci.nonces") ?? [];
    for (const kept of nonces) expect(settings.nonceOf(kept.commitment)).toEqual(kept);
  });

  it("has the staged turn", () => {
    const [key] = Object.keys(localStorage).filter((one) => family(one) === "sanssouci.staged.");
    const saved: { table: string; seat: number; turn: number } = stored(key!);
    const { value } = settings.staged(saved.table, saved.seat);
    const { staging, dropped } = Staging.from(value, viewAt(saved.table, saved.seat, saved.turn));
    expect(dropped).toBeNull();
    expect(JSON.parse(JSON.stringify(staging))).toMatchObject(saved);
  });

  it("has the opened record", () => {
    const record = JSON.parse(sessionStorage["sanssouci.record"]!) as Record<string, unknown>;
    expect(record["format"]).toBe("sanssouci-record/1"); // the server's tests read the rest
  });
});

const code = Object.values(SOURCES).join("\n");

it("the storage keys in the sources are those of the latest version", () => {
  const { localStorage, sessionStorage } = storedBy(LATEST);
  const used = new Set([...code.matchAll(/["'`](sanssouci\.[a-z]+\.?)["'`]/g)].map(([, key]) => key));
  const known = [...Object.keys(localStorage), ...Object.keys(sessionStorage)].map(family);
  expect([...used].sort()).toEqual(known.sort());
  const ofSession = Object.values(SOURCES).filter((source) => source.includes("sessionStorage."));
  expect(ofSession).toHaveLength(1);
  for (const key of Object.keys(sessionStorage)) expect(ofSession[0]).toContain(`"${key}"`);
});

describe.each(Object.keys(ADDRESSES).sort())("the addresses of %s", (generation) => {
  const addresses = Object.entries(JSON.parse(ADDRESSES[generation]!) as Record<string, object>);

  it.each(addresses)("still lead to the same screens: %s", (address, shown) => {
    const { pathname, hash } = new URL(address, "https://play.example.org");
    expect(parseRoute(pathname, hash)).toMatchObject(shown);
  });
});
