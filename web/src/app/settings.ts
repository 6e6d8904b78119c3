/**
 * What this browser stores: preferences, the settings of the last game, links, and progress.
 *
 * Stored data may be missing, outdated, truncated or foreign, so each field is checked on its own and invalid ones are
 * ignored. Where storage is forbidden, settings last until the page is closed.
 */

import type { Edition, Expansion, Language } from "../net/types";
import { COLOURS, type Colour } from "../game/colours";

/** As much of the browser's `Storage` as is needed. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export const LANGUAGES: readonly Language[] = ["en", "de", "fr", "es"];
export const THEMES = ["system", "light", "dark"] as const;
export const SPEEDS = ["none", "slow", "normal", "fast"] as const;
export type Theme = (typeof THEMES)[number];
/** Of motion; `none`: nothing moves. */
export type Speed = (typeof SPEEDS)[number];

export interface Preferences {
  /** Null: the browser's. */
  readonly language: Language | null;
  readonly theme: Theme;
  readonly speed: Speed;
  /** A complete turn is played without Confirm. */
  readonly confirmsItself: boolean;
  readonly sound: boolean;
  /** Of sounds, in per cent. */
  readonly volume: number;
  /** Notify when it is the user's turn and the page is hidden. */
  readonly calls: boolean;
  /** The name that a guest gave. */
  readonly name: string;
  /** The colour that was worn last; the wish for the next table. */
  readonly colour: Colour | null;
  readonly lastGame: GameSettings;
}

export interface GameSettings {
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  /** A named set, or a custom file; null for the edition's boards. */
  readonly boards: string | OwnBoards | null;
  readonly chairs: readonly ChairSettings[];
  readonly clock: { readonly pace: "none" | "turn" | "days"; readonly amount: number };
  readonly hints: boolean;
  readonly visibility: "open" | "link";
  /** The chair that starts; null if it is drawn. */
  readonly first: number | null;
}

/** Custom boards. */
export interface OwnBoards {
  readonly name: string;
  /** The text of their file. */
  readonly file: string;
}

export interface ChairSettings {
  readonly sitter: "person" | "computer" | "open";
  readonly name: string;
  readonly player: string | null;
  /** Of another person at this screen. */
  readonly colour?: Colour;
}

export const DEFAULTS: Preferences = {
  language: null,
  theme: "system",
  speed: "normal",
  confirmsItself: false,
  sound: true,
  volume: 50,
  calls: false,
  name: "",
  colour: null,
  lastGame: {
    edition: "ravensburger",
    expansions: [],
    boards: null,
    chairs: [
      { sitter: "person", name: "", player: null },
      { sitter: "computer", name: "", player: "level:3" },
    ],
    clock: { pace: "none", amount: 0 },
    hints: true,
    visibility: "link",
    first: null,
  },
};

/** A link that this browser was given, or made: its secret opens a chair, joins, or looks on. */
export interface KnownLink {
  readonly table: string;
  readonly kind: "seat" | "join" | "watch";
  /** The chair of a seat link. */
  readonly chair: number | null;
  readonly secret: string;
}

/** How many links are kept; the oldest are forgotten. */
export const MOST_LINKS = 200;

const PREFERENCES = "sanssouci.preferences";
const LINKS = "sanssouci.links";
const STAGED = "sanssouci.staged.";
const SHEET = "sanssouci.sheet";
const DAILY = "sanssouci.daily";
const TUTORIAL = "sanssouci.guide";
const LESSONS = "sanssouci.lessons";

export class Settings {
  private current: Preferences;
  private known: readonly KnownLink[];
  private readonly listeners = new Set<(preferences: Preferences) => void>();

  constructor(private readonly store: KeyValueStore | null) {
    this.current = readPreferences(this.read(PREFERENCES));
    this.known = readLinks(this.read(LINKS));
  }

  get preferences(): Preferences {
    return this.current;
  }

  /** Change some of them. */
  setPreferences(changes: Partial<Preferences>): void {
    this.applyPreferences({ ...this.current, ...changes });
    this.write(PREFERENCES, this.current);
  }

  /** Read again what another tab has written under a key; null: everything. */
  reload(key: string | null): void {
    if (key === null || key === LINKS) this.known = readLinks(this.read(LINKS));
    if (key === null || key === PREFERENCES) this.applyPreferences(this.read(PREFERENCES));
  }

  private applyPreferences(stored: unknown): void {
    this.current = readPreferences(stored);
    for (const listener of this.listeners) listener(this.current);
  }

  /** Calls the listener after every change; the returned function unsubscribes. */
  subscribe(listener: (preferences: Preferences) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** The links to a table, the newest first. */
  linksTo(table: string): readonly KnownLink[] {
    return this.known.filter((link) => link.table === table);
  }

  /** Keep a link. A seat link that was renewed takes the place of the old one. */
  saveLink(link: KnownLink): void {
    const others = this.known.filter((other) => !isSameLink(other, link));
    this.setLinks([link, ...others].slice(0, MOST_LINKS));
  }

  forgetTable(table: string): void {
    this.setLinks(this.known.filter((link) => link.table !== table));
    this.removeStaged(table);
  }

  /** Forget everything, as when a guest is forgotten. */
  forgetAll(): void {
    for (const { table } of this.known) this.removeStaged(table);
    this.setLinks([]);
    this.removeSheet();
    this.remove(DAILY);
    this.remove(TUTORIAL);
    this.removeLessons();
    this.setPreferences({ name: "", colour: null });
  }

  /** The staged turn of a table, unchecked. */
  staged(table: string, seat: number): unknown {
    return this.read(stagedKey(table, seat));
  }

  saveStaged(table: string, seat: number, staged: unknown): void {
    this.write(stagedKey(table, seat), staged);
  }

  removeStaged(table: string, seat?: number): void {
    const seats = seat === undefined ? [0, 1, 2, 3] : [seat];
    for (const place of seats) this.remove(stagedKey(table, place));
  }

  /** The score sheet, unchecked. */
  get sheet(): unknown {
    return this.read(SHEET);
  }

  saveSheet(sheet: unknown): void {
    this.write(SHEET, sheet);
  }

  removeSheet(): void {
    this.remove(SHEET);
  }

  /** The daily games, unchecked. */
  get daily(): unknown {
    return this.read(DAILY);
  }

  saveDaily(games: unknown): void {
    this.write(DAILY, games);
  }

  /** The progress of the tutorial, unchecked. */
  get tutorial(): unknown {
    return this.read(TUTORIAL);
  }

  saveTutorial(progress: unknown): void {
    this.write(TUTORIAL, progress);
  }

  /** The solved lessons, unchecked. */
  get lessons(): unknown {
    return this.read(LESSONS);
  }

  saveLessons(solved: unknown): void {
    this.write(LESSONS, solved);
  }

  removeLessons(): void {
    this.remove(LESSONS);
  }

  private setLinks(links: readonly KnownLink[]): void {
    this.known = links;
    this.write(LINKS, links);
  }

  private read(key: string): unknown {
    try {
      return JSON.parse(this.store?.getItem(key) ?? "null") as unknown;
    } catch {
      return null; // broken, or storage is forbidden here
    }
  }

  private write(key: string, value: unknown): void {
    try {
      this.store?.setItem(key, JSON.stringify(value));
    } catch {
      // full or forbidden: it holds until the page is closed
    }
  }

  private remove(key: string): void {
    try {
      this.store?.removeItem(key);
    } catch {
      // forbidden: there is nothing to remove either
    }
  }
}

function stagedKey(table: string, seat: number): string {
  return `${STAGED}${table}.${seat}`;
}

function isSameLink(one: KnownLink, other: KnownLink): boolean {
  return one.table === other.table && one.kind === other.kind && one.chair === other.chair;
}

/** The language that a browser prefers among those that the game speaks; `wanted` is `navigator.languages`. */
export function browserLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => language === tag.toLowerCase().split("-")[0]);
    if (found !== undefined) return found;
  }
  return "en";
}

function readPreferences(value: unknown): Preferences {
  const kept = asObject(value);
  return {
    language: oneOf(LANGUAGES, kept["language"], DEFAULTS.language),
    theme: oneOf(THEMES, kept["theme"], DEFAULTS.theme),
    speed: oneOf(SPEEDS, kept["speed"], DEFAULTS.speed),
    confirmsItself: flag(kept["confirmsItself"], DEFAULTS.confirmsItself),
    sound: flag(kept["sound"], DEFAULTS.sound),
    volume: percentage(kept["volume"], DEFAULTS.volume),
    calls: flag(kept["calls"], DEFAULTS.calls),
    name: text(kept["name"], DEFAULTS.name),
    colour: oneOf(COLOURS, kept["colour"], DEFAULTS.colour),
    lastGame: readGame(kept["lastGame"]),
  };
}

function readGame(value: unknown): GameSettings {
  const kept = asObject(value);
  const usual = DEFAULTS.lastGame;
  const edition = oneOf(["ravensburger", "imperial"] as const, kept["edition"], usual.edition);
  const chairs = asArray(kept["chairs"]).flatMap(readChair);
  return {
    edition,
    expansions: (["rewards", "wild_boar"] as const).filter(
      // R34: the boar is played in the Imperial edition only
      (one) => asArray(kept["expansions"]).includes(one) && (one === "rewards" || edition === "imperial"),
    ),
    boards: readBoards(kept["boards"]),
    chairs: chairs.length >= 2 && chairs.length <= 4 ? chairs : usual.chairs,
    clock: readClock(kept["clock"]),
    hints: flag(kept["hints"], usual.hints),
    visibility: oneOf(["open", "link"] as const, kept["visibility"], usual.visibility),
    first: oneOf([0, 1, 2, 3], kept["first"], usual.first),
  };
}

function readBoards(value: unknown): GameSettings["boards"] {
  if (typeof value === "string") return value;
  const { name, file } = asObject(value);
  return typeof name === "string" && typeof file === "string" ? { name, file } : null;
}

function readChair(value: unknown): readonly ChairSettings[] {
  const kept = asObject(value);
  const sitter = oneOf(["person", "computer", "open"] as const, kept["sitter"], null);
  const player = typeof kept["player"] === "string" ? kept["player"] : null;
  const unfit = sitter === null || (sitter === "computer" && player === null);
  if (unfit) return [];
  const colour = oneOf(COLOURS, kept["colour"], null);
  const chair = { sitter, name: text(kept["name"], ""), player: sitter === "computer" ? player : null };
  return [sitter === "person" && colour !== null ? { ...chair, colour } : chair];
}

function readClock(value: unknown): GameSettings["clock"] {
  const kept = asObject(value);
  const pace = oneOf(["none", "turn", "days"] as const, kept["pace"], "none");
  const amount = kept["amount"];
  const counts = typeof amount === "number" && Number.isInteger(amount) && amount > 0;
  return pace === "none" || !counts ? DEFAULTS.lastGame.clock : { pace, amount };
}

function readLinks(value: unknown): readonly KnownLink[] {
  return asArray(value).flatMap(readLink).slice(0, MOST_LINKS);
}

function readLink(value: unknown): readonly KnownLink[] {
  const kept = asObject(value);
  const { table, secret, chair } = kept;
  const kind = oneOf(["seat", "join", "watch"] as const, kept["kind"], null);
  if (kind === null || typeof table !== "string" || typeof secret !== "string") return [];
  return [{ table, kind, secret, chair: typeof chair === "number" ? chair : null }];
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function oneOf<T, Otherwise>(known: readonly T[], value: unknown, otherwise: Otherwise): T | Otherwise {
  return known.find((one) => one === value) ?? otherwise;
}

function flag(value: unknown, otherwise: boolean): boolean {
  return typeof value === "boolean" ? value : otherwise;
}

function percentage(value: unknown, otherwise: number): number {
  return typeof value === "number" && value >= 0 && value <= 100 ? value : otherwise;
}

function text(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
