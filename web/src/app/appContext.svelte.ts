/** The application: who one is, in which language, at which address; what every screen needs. */
import { createContext } from "svelte";

import { Client, ApiError } from "../net/client";
import type {
  Created,
  Edition,
  ServerInfo,
  Language,
  NewTable,
  OwnTable,
  Player,
  Problem,
  Reach,
  Rules,
} from "../net/types";
import { randomId, randomNonce } from "../net/randomIds";
import { AudioPlayer } from "./audio";
import { parseRoute, writeLink, type Route, type LinkKind } from "./router";
import { awaitingFirst, newlyAwaiting } from "./turnNotifications";
import { COLOURS } from "../game/colours";
import {
  chairColours,
  settingsFromForm,
  hasOpenChairs,
  toNewTable,
  ownChair,
  type NewGameForm,
} from "../game/newGameForm";
import { browserLanguage, DEFAULTS, type Preferences, type Settings } from "./settings";
import { EditionNames } from "../i18n/editionNames.svelte";
import { capitalize, t, i18n } from "../i18n/i18n.svelte";

/** Something that is said at the edge of the screen. */
export interface ToastMessage {
  readonly text: string;
  readonly bad: boolean;
  /** The rule that says so, if one does. */
  readonly rule: string | null;
}

const EDITIONS: readonly Edition[] = ["ravensburger", "imperial"];

export class App {
  readonly client = new Client(undefined, () => t("trouble.unreachable"));

  route = $state.raw<Route>({ screen: "start" });
  /** What others call this guest; null until the server knows one. */
  name = $state<string | null>(null);
  serverInfo = $state.raw<ServerInfo | null>(null);
  /** Where others find the server, once somebody wants to know. */
  reach = $state.raw<Reach | null>(null);
  players = $state.raw<readonly Player[]>([]);
  toast = $state.raw<ToastMessage | null>(null);
  /** The edition that is on the table. */
  edition = $state<Edition>("ravensburger");
  /** The rule at which the rules are open, `""` for their beginning; null: they are closed. */
  rules = $state<string | null>(null);

  /** Whether the settings are open. */
  settingsOpen = $state(false);
  preferences = $state.raw<Preferences>(DEFAULTS);

  /** The own tables as they were found last, those first that call. */
  ownTables = $state.raw<readonly OwnTable[]>([]);
  private ownTablesLoaded = false;

  readonly audio = new AudioPlayer(() => (this.preferences.sound ? this.preferences.volume / 100 : 0));

  private readonly names = new Map(EDITIONS.map((edition) => [edition, new EditionNames(edition)]));

  constructor(readonly settings: Settings) {
    this.preferences = settings.preferences;
    settings.subscribe((preferences) => (this.preferences = preferences));
    this.readLocation();
  }

  /** Speak, and ask the server who one is and what it offers. */
  async start(): Promise<void> {
    const { language } = this;
    this.client.language = language;
    await i18n.setLanguage(language);
    document.documentElement.lang = language;
    await this.attempt(async () => {
      await Promise.all([this.loadGuest(), this.loadServerInfo()]);
    });
  }

  /** How fast the table moves. */
  get motion(): Preferences["speed"] {
    return this.preferences.speed;
  }

  /** Whether a complete turn is played without Confirm. */
  get confirmsItself(): boolean {
    return this.preferences.confirmsItself;
  }

  /** What this guest is called, or would be. */
  get displayName(): string {
    return this.name ?? (this.preferences.name || t("guest.default"));
  }

  namesOf(edition: Edition): EditionNames {
    return this.names.get(edition)!;
  }

  /** What a computer player is called, and what it is like. */
  playerOf(player: string): Player {
    return this.players.find((one) => one.player === player) ?? { player, name: player, about: "" };
  }

  // Addresses

  readLocation(): void {
    this.route = parseRoute(location.pathname, location.hash);
  }

  /** Show another screen; `instead` of this one, so that the way back does not lead through it. */
  navigate(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.toast = null;
    this.readLocation();
    scrollTo(0, 0);
  }

  /** Where others find the server, which is not where its own computer does. */
  get site(): string {
    return this.serverInfo?.site ?? this.reach?.urls[0] ?? location.origin;
  }

  /** A link for others. */
  link(kind: LinkKind, table: string, secret: string): string {
    return writeLink(this.site, kind, table, secret);
  }

  /** The same where it is no more than a wish to know: a link is begun with what is known. */
  async tryLoadReach(): Promise<void> {
    if (this.reach === null) await this.loadReach().catch(() => undefined);
  }

  /** Ask how far the server can be heard. */
  async loadReach(): Promise<void> {
    this.reach = await this.client.reach();
  }

  /** Let the server be heard in the local network. */
  async openToNetwork(): Promise<void> {
    this.reach = await this.client.openToNetwork();
  }

  // Who one is

  /** Become a guest if one is none yet: with the name that is given, or a friendly one. */
  async ensureGuest(name = this.displayName): Promise<void> {
    const wanted = name.trim() || t("guest.default");
    if (this.name === null) this.name = (await this.client.becomeGuest(wanted)).name;
    else if (wanted !== this.name) this.name = (await this.client.rename(wanted)).name;
    if (wanted !== t("guest.default")) this.settings.setPreferences({ name: this.name });
  }

  private async loadGuest(): Promise<void> {
    this.name = (await this.client.me()).name;
  }

  // Language and looks

  private get language(): Language {
    return this.preferences.language ?? browserLanguage(navigator.languages);
  }

  async setLanguage(language: Language): Promise<void> {
    this.settings.setPreferences({ language });
    await this.changeLanguage();
  }

  /** Apply settings that another tab has stored; `key` is the one of the storage event. */
  async syncSettings(key: string | null): Promise<void> {
    this.settings.reload(key);
    if (this.language !== i18n.language) await this.changeLanguage();
  }

  /** Show everything in the preferred language; `lang` changes last, when all words have arrived. */
  private async changeLanguage(): Promise<void> {
    const { language } = this;
    this.toast = null; // it is written in the previous language
    this.client.language = language;
    await i18n.setLanguage(language);
    await this.attempt(() => this.loadServerInfo()).finally(() => (document.documentElement.lang = language));
  }

  private async loadServerInfo(): Promise<void> {
    const [serverInfo, players] = await Promise.all([
      this.serverInfo ?? this.client.serverInfo(),
      this.client.players(),
      ...[...this.names.values()].map((names) => names.load(this.client)),
    ]);
    this.serverInfo = serverInfo;
    this.players = players;
  }

  /** With the names of the edition that is played, or of the last game. */
  loadRules(): Promise<Rules> {
    void i18n.language; // asked again when it changes
    return this.client.rules(this.edition);
  }

  openRules(rule = ""): void {
    this.rules = rule;
  }

  // Troubles

  /** Do something that may be refused; every no is shown. Says whether it was done. */
  async attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.showError(error.problem);
      return false;
    }
  }

  /** Show why something was not done. */
  showError({ sentence, rule }: Pick<Problem, "sentence" | "rule">): void {
    this.toast = { text: asSentence(sentence), bad: true, rule };
  }

  /** Say what has happened. */
  showMessage(text: string, rule: string | null = null): void {
    this.toast = { text, bad: false, rule };
  }

  // Looking back

  /** Have a game reviewed, and show how far that is. */
  async openReview(ask: () => Promise<{ readonly review: string }>): Promise<void> {
    await this.attempt(async () => {
      await this.ensureGuest();
      this.navigate(`/review/${(await ask()).review}`);
    });
  }

  // Calls

  /** Ask the browser whether it may tell when it is one's turn; its user decides. Says whether it may. */
  async requestNotifications(): Promise<boolean> {
    const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
    this.settings.setPreferences({ calls: allowed });
    return allowed;
  }

  /** Look which tables call, and call out those that did not before. What cannot be had is left as it was. */
  async refreshOwnTables(): Promise<void> {
    const tables = this.name === null ? [] : await this.client.myTables().catch(() => null);
    if (tables === null) return;
    const [newest] = newlyAwaiting(this.ownTablesLoaded ? this.ownTables : null, tables);
    this.ownTablesLoaded = this.name !== null;
    this.ownTables = awaitingFirst(tables);
    if (newest !== undefined) this.notifyTurn(newest.table);
  }

  /** It has become one's turn: a bell, and a word from the browser if nobody looks. */
  notifyTurn(table: string): void {
    this.audio.play([{ sound: "bell", after: 0 }]);
    if (!document.hidden || !this.preferences.calls || !("Notification" in window)) return;
    if (Notification.permission !== "granted") return;
    try {
      const options = { body: t("call.body"), tag: table, icon: "/icon-192.png" };
      const notification = new Notification(t("call.title"), options);
      notification.onclick = () => (focus(), notification.close());
    } catch {
      // Chrome on Android has the word for it, but lets no page speak it.
      this.settings.setPreferences({ calls: false });
      this.showMessage(t("call.not_possible"));
    }
  }

  // Games

  /** Set a table up; where nobody is to come, the own people are ready at once. */
  async startGame(form: NewGameForm): Promise<void> {
    await this.ensureGuest();
    const { colour: wish } = this.preferences;
    this.settings.setPreferences({
      lastGame: settingsFromForm(form),
      colour: chairColours(form, wish)[ownChair(form)] ?? wish,
    });
    const called = (chair: number) =>
      chair === 0 ? this.displayName : t("guest.other", { number: chair + 1 });
    const made = await this.client.create(toNewTable(form, called, wish));
    this.saveLinks(made);
    if (!hasOpenChairs(form))
      await this.setReady(
        made.table,
        made.seats.map((seat) => seat.chair),
      );
    this.navigate(`/table/${made.table}`);
  }

  /** Set a table up at which the game begins at once; `begun` is told which, `instead` as in `go`. */
  async openTable(table: NewTable, begun?: (table: string) => void, replace = false): Promise<void> {
    await this.ensureGuest();
    const made = await this.client.create(table);
    this.saveLinks(made);
    begun?.(made.table);
    this.navigate(`/table/${made.table}`, replace);
  }

  /** Play the deal of today; `begun` is told the table before anything else can go wrong. */
  async startDaily(begun: (table: string) => void): Promise<void> {
    await this.ensureGuest();
    const made = await this.client.startDaily();
    this.saveLinks(made);
    begun(made.table);
    const chairs = made.seats.map((seat) => seat.chair);
    await this.setReady(made.table, chairs, await this.chooseColour(made.table, chairs[0]!));
    this.navigate(`/table/${made.table}`);
  }

  private saveLinks({ table, join, watch, seats }: Created): void {
    this.settings.saveLink({ table, kind: "join", chair: null, secret: join });
    this.settings.saveLink({ table, kind: "watch", chair: null, secret: watch });
    for (const { chair, token } of seats) this.saveSeatLink(table, chair, token);
  }

  /** A new link to join or to watch; the old one opens nothing any more. */
  async renewTableLink(table: string, kind: "join" | "watch"): Promise<void> {
    const { token } = await this.client.renewTableLink(table, kind);
    this.settings.saveLink({ table, kind, chair: null, secret: token });
  }

  saveSeatLink(table: string, chair: number, secret: string): void {
    this.settings.saveLink({ table, kind: "seat", chair, secret });
  }

  /** Wear at a new table what one wore last, where the first chair would wear something else; answers its seq. */
  private async chooseColour(table: string, chair: number): Promise<number> {
    const { colour } = this.preferences;
    if (colour === null || colour === COLOURS[0]) return 0;
    const command = { type: "wear" as const, chair, colour };
    return (await this.client.sendCommand(table, { command_id: randomId(), expected_seq: 0, command, chair }))
      .seq;
  }

  /** Say at a new table that the people of these chairs are ready. */
  async setReady(table: string, chairs: readonly number[], seq = 0): Promise<void> {
    for (const chair of chairs) {
      const command = { type: "ready" as const, nonce: randomNonce() };
      const done = await this.client.sendCommand(table, {
        command_id: randomId(),
        expected_seq: seq,
        command,
        chair,
      });
      seq = done.seq;
    }
  }
}

/** A clause of the server with its capitalize and its full stop; a square stays small. */
export function asSentence(clause: string): string {
  const whole = capitalize(clause);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

export const [useApp, provideApp] = createContext<App>();
