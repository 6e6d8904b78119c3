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
/** The speed of animations; `none`: nothing moves. */
export type Speed = (typeof SPEEDS)[number];

export interface Preferences {
  /** Null for the language of the browser. */
  readonly language: Language | null;
  readonly theme: Theme;
  readonly speed: Speed;
  /** Whether the garden of another player comes forward while their turn is animated. */
  readonly scenes: boolean;
  /** Whether a complete turn is confirmed automatically. */
  readonly confirmsItself: boolean;
  readonly sound: boolean;
  /** In per cent. */
  readonly volume: number;
  /** Whether the log and the score table at the table are folded; null for the log where it depends on the window. */
  readonly logFolded: boolean | null;
  readonly scoresFolded: boolean;
  /** Whether to notify when it is the user's turn and the page is hidden. */
  readonly calls: boolean;
  /** The name that the guest chose; empty if none. */
  readonly name: string;
  /** The colour of the last game, preferred for the next one. */
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
  /** The colour of another person at this screen. */
  readonly colour?: Colour;
}

export const DEFAULTS: Preferences = {
  language: null,
  theme: "system",
  speed: "normal",
  scenes: true,
  confirmsItself: false,
  sound: true,
  volume: 50,
  logFolded: null,
  scoresFolded: false,
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

/** A link that this browser has opened or created; its secret allows taking over a chair, joining, or watching. */
export interface KnownLink {
  readonly table: string;
  readonly kind: "seat" | "join" | "watch";
  /** The chair of a seat link. */
  readonly chair: number | null;
  readonly secret: string;
}

/** How many links are stored; older ones are dropped. */
export const MOST_LINKS = 200;

/** A nonce that somebody at this screen has committed to, until it is revealed; and what was promised then. */
export interface KeptNonce {
  readonly table: string;
  /** To the nonce. */
  readonly commitment: string;
  readonly nonce: string;
  /** The commitment to the deal when the nonce was revealed; null before. */
  readonly deal: string | null;
  /** `fair/2`: the chair that was to begin when the nonce was revealed; null if it is drawn, missing before. */
  readonly first?: number | null;
}

/** How many nonces are kept; the oldest are forgotten. */
export const MOST_NONCES = 100;

const STAGED = "sanssouci.staged.";

/** A value in the browser's storage. It is not validated when it is read. */
class StoredValue {
  constructor(
    private readonly store: KeyValueStore | null,
    readonly key: string,
  ) {}

  get value(): unknown {
    try {
      return JSON.parse(this.store?.getItem(this.key) ?? "null") as unknown;
    } catch {
      return null; // invalid JSON, or storage is forbidden
    }
  }

  save(value: unknown): void {
    try {
      this.store?.setItem(this.key, JSON.stringify(value));
    } catch {
      // full or forbidden: the value lasts until the page is closed
    }
  }

  /** Whether a storage event with this key is about the value; null: about all values. */
  isAt(key: string | null): boolean {
    return key === null || key === this.key;
  }

  remove(): void {
    try {
      this.store?.removeItem(this.key);
    } catch {
      // forbidden: nothing was stored
    }
  }
}

export class Settings {
  readonly sheet: StoredValue;
  /** The sets of the board editor. */
  readonly boards: StoredValue;
  readonly daily: StoredValue;
  /** The progress of the tutorial. */
  readonly tutorial: StoredValue;
  /** The solved lessons. */
  readonly lessons: StoredValue;
  private readonly storedPreferences: StoredValue;
  private readonly storedLinks: StoredValue;
  private readonly storedNonces: StoredValue;
  private current: Preferences;
  private known: readonly KnownLink[];
  private nonces: readonly KeptNonce[];
  private readonly listeners = new Set<(preferences: Preferences) => void>();

  constructor(private readonly store: KeyValueStore | null) {
    this.sheet = new StoredValue(store, "sanssouci.sheet");
    this.boards = new StoredValue(store, "sanssouci.boards");
    this.daily = new StoredValue(store, "sanssouci.daily");
    this.tutorial = new StoredValue(store, "sanssouci.guide");
    this.lessons = new StoredValue(store, "sanssouci.lessons");
    this.storedPreferences = new StoredValue(store, "sanssouci.preferences");
    this.storedLinks = new StoredValue(store, "sanssouci.links");
    this.current = readPreferences(this.storedPreferences.value);
    this.known = readLinks(this.storedLinks.value);
    this.storedNonces = new StoredValue(store, "sanssouci.nonces");
    this.nonces = readNonces(this.storedNonces.value);
  }

  get preferences(): Preferences {
    return this.current;
  }

  setPreferences(changes: Partial<Preferences>): void {
    this.applyPreferences({ ...this.current, ...changes });
    this.storedPreferences.save(this.current);
  }

  /** Read again what another tab has stored under a key; null for all keys. */
  reload(key: string | null): void {
    if (this.storedLinks.isAt(key)) this.known = readLinks(this.storedLinks.value);
    if (this.storedNonces.isAt(key)) this.nonces = readNonces(this.storedNonces.value);
    if (this.storedPreferences.isAt(key)) this.applyPreferences(this.storedPreferences.value);
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

  /** Save a link; it replaces an older one of the same kind to the same table and chair. */
  saveLink(link: KnownLink): void {
    const others = this.known.filter((other) => !isSameLink(other, link));
    this.setLinks([link, ...others].slice(0, MOST_LINKS));
  }

  forgetTable(table: string): void {
    this.setLinks(this.known.filter((link) => link.table !== table));
    this.setNonces(this.nonces.filter((kept) => kept.table !== table));
    for (const seat of [0, 1, 2, 3]) this.staged(table, seat).remove();
  }

  forgetTables(): void {
    for (const { table } of [...this.known, ...this.nonces]) this.forgetTable(table);
  }

  /** The nonce of a commitment, also if another tab has made it. */
  nonceOf(commitment: string): KeptNonce | undefined {
    return this.nonces.find((kept) => kept.commitment === commitment);
  }

  hasNonces(table: string): boolean {
    return this.nonces.some((kept) => kept.table === table);
  }

  /** Whether this browser has revealed a nonce at a table. */
  hasRevealed(table: string): boolean {
    return this.nonces.some((kept) => kept.table === table && kept.deal !== null);
  }

  saveNonce(nonce: KeptNonce): void {
    const others = this.nonces.filter(({ commitment }) => commitment !== nonce.commitment);
    this.setNonces([nonce, ...others].slice(0, MOST_NONCES));
  }

  /** The staged turn of a seat at a table. */
  staged(table: string, seat: number): StoredValue {
    return new StoredValue(this.store, `${STAGED}${table}.${seat}`);
  }

  /** The complete sets of the board editor. */
  ownBoards(): readonly OwnBoards[] {
    return asArray(this.boards.value).flatMap((value) => {
      const { name, file } = asObject(value);
      return typeof name === "string" && typeof file === "string" ? [{ name, file }] : [];
    });
  }

  private setNonces(nonces: readonly KeptNonce[]): void {
    this.nonces = nonces;
    this.storedNonces.save(nonces);
  }

  private setLinks(links: readonly KnownLink[]): void {
    this.known = links;
    this.storedLinks.save(links);
  }
}

function isSameLink(one: KnownLink, other: KnownLink): boolean {
  return one.table === other.table && one.kind === other.kind && one.chair === other.chair;
}

/** The first supported language of the browser; `wanted` is `navigator.languages`. */
export function browserLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => language === tag.toLowerCase().split("-")[0]);
    if (found !== undefined) return found;
  }
  return "en";
}

function readPreferences(value: unknown): Preferences {
  const stored = asObject(value);
  return {
    language: oneOf(LANGUAGES, stored["language"], DEFAULTS.language),
    theme: oneOf(THEMES, stored["theme"], DEFAULTS.theme),
    speed: oneOf(SPEEDS, stored["speed"], DEFAULTS.speed),
    scenes: flag(stored["scenes"], DEFAULTS.scenes),
    confirmsItself: flag(stored["confirmsItself"], DEFAULTS.confirmsItself),
    sound: flag(stored["sound"], DEFAULTS.sound),
    volume: percentage(stored["volume"], DEFAULTS.volume),
    logFolded: flag(stored["logFolded"], DEFAULTS.logFolded),
    scoresFolded: flag(stored["scoresFolded"], DEFAULTS.scoresFolded),
    calls: flag(stored["calls"], DEFAULTS.calls),
    name: text(stored["name"], DEFAULTS.name),
    colour: oneOf(COLOURS, stored["colour"], DEFAULTS.colour),
    lastGame: readGame(stored["lastGame"]),
  };
}

function readGame(value: unknown): GameSettings {
  const stored = asObject(value);
  const defaults = DEFAULTS.lastGame;
  const edition = oneOf(["ravensburger", "imperial"] as const, stored["edition"], defaults.edition);
  const chairs = asArray(stored["chairs"]).flatMap(readChair);
  return {
    edition,
    expansions: (["rewards", "wild_boar"] as const).filter(
      // R34: the boar is played in the Imperial edition only
      (one) => asArray(stored["expansions"]).includes(one) && (one === "rewards" || edition === "imperial"),
    ),
    boards: readBoards(stored["boards"]),
    chairs: chairs.length >= 2 && chairs.length <= 4 ? chairs : defaults.chairs,
    clock: readClock(stored["clock"]),
    hints: flag(stored["hints"], defaults.hints),
    visibility: oneOf(["open", "link"] as const, stored["visibility"], defaults.visibility),
    first: oneOf([0, 1, 2, 3], stored["first"], defaults.first),
  };
}

function readBoards(value: unknown): GameSettings["boards"] {
  if (typeof value === "string") return value;
  const { name, file } = asObject(value);
  return typeof name === "string" && typeof file === "string" ? { name, file } : null;
}

function readChair(value: unknown): readonly ChairSettings[] {
  const stored = asObject(value);
  const sitter = oneOf(["person", "computer", "open"] as const, stored["sitter"], null);
  const player = typeof stored["player"] === "string" ? stored["player"] : null;
  const invalid = sitter === null || (sitter === "computer" && player === null);
  if (invalid) return [];
  const colour = oneOf(COLOURS, stored["colour"], null);
  const chair = { sitter, name: text(stored["name"], ""), player: sitter === "computer" ? player : null };
  return [sitter === "person" && colour !== null ? { ...chair, colour } : chair];
}

function readClock(value: unknown): GameSettings["clock"] {
  const stored = asObject(value);
  const pace = oneOf(["none", "turn", "days"] as const, stored["pace"], "none");
  const amount = stored["amount"];
  const counts = typeof amount === "number" && Number.isInteger(amount) && amount > 0;
  return pace === "none" || !counts ? DEFAULTS.lastGame.clock : { pace, amount };
}

function readLinks(value: unknown): readonly KnownLink[] {
  return asArray(value).flatMap(readLink).slice(0, MOST_LINKS);
}

function readNonces(value: unknown): readonly KeptNonce[] {
  return asArray(value).flatMap(readNonce).slice(0, MOST_NONCES);
}

function readNonce(value: unknown): readonly KeptNonce[] {
  const { table, commitment, nonce, deal, first } = asObject(value);
  if (typeof table !== "string" || typeof commitment !== "string" || typeof nonce !== "string") return [];
  const kept = { table, commitment, nonce, deal: typeof deal === "string" ? deal : null };
  return [typeof first === "number" || first === null ? { ...kept, first } : kept];
}

function readLink(value: unknown): readonly KnownLink[] {
  const stored = asObject(value);
  const { table, secret, chair } = stored;
  const kind = oneOf(["seat", "join", "watch"] as const, stored["kind"], null);
  if (kind === null || typeof table !== "string" || typeof secret !== "string") return [];
  return [{ table, kind, secret, chair: typeof chair === "number" ? chair : null }];
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function oneOf<T, Fallback>(known: readonly T[], value: unknown, fallback: Fallback): T | Fallback {
  return known.find((one) => one === value) ?? fallback;
}

function flag<Fallback>(value: unknown, fallback: Fallback): boolean | Fallback {
  return typeof value === "boolean" ? value : fallback;
}

function percentage(value: unknown, fallback: number): number {
  return typeof value === "number" && value >= 0 && value <= 100 ? value : fallback;
}

function text(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
