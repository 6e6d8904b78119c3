/** The application state shared by all screens: guest, language, route, settings, messages. */
import { createContext } from "svelte";

import { Client, ApiError } from "../net/client";
import type {
  Command,
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
  TableView,
} from "../net/types";
import { randomId, randomNonce } from "../net/randomIds";
import { AnswerCache } from "../net/answerCache";
import { AudioPlayer } from "./audio";
import { parseRoute, writeLink, type Route, type LinkKind } from "./router";
import { PageUpdates } from "./pageUpdates.svelte";
import { awaitingFirst, newlyAwaiting, showNotification } from "./turnNotifications";
import { COLOURS } from "../game/colours";
import { isCommitting, isDealKept, nonceCommitment, verifiedDeal } from "../game/fairDeal";
import { offerRole } from "../game/offers";
import {
  chairColours,
  settingsFromForm,
  hasOpenChairs,
  hostName,
  toNewTable,
  ownChair,
  type NewGameForm,
} from "../game/newGameForm";
import { browserLanguage, DEFAULTS, type Preferences, type Settings } from "./settings";
import { EditionNames } from "../i18n/editionNames.svelte";
import { capitalize, t, i18n, withFullStop, type MessageKey } from "../i18n/i18n.svelte";

export interface ToastMessage {
  readonly text: string;
  readonly bad: boolean;
  /** The rule to link to, if any. */
  readonly rule: string | null;
  /** The table whose offer it is about: it links there and stays until it is closed. */
  readonly table?: string;
}

/** How many answers about replays are kept: two for each. */
const REPLAY_ANSWERS = 40;
/** For the daily garden, whose deal is the same for everyone. */
const UNUSED_NONCE = "00".repeat(16);
/** Kept with the replays while there is a guest. */
const GUEST = "guest";
const EDITIONS: readonly Edition[] = ["ravensburger", "imperial"];

export class App {
  readonly client = new Client(undefined, () => t("connection.unreachable"));

  /** Replays that were opened in this browser. */
  readonly replays = new AnswerCache("sanssouci-replays", REPLAY_ANSWERS);
  readonly updates = new PageUpdates();

  route = $state.raw<Route>({ screen: "start" });
  /** Whether the last request did not reach the server. After a start without it, until the guest has been loaded. */
  offline = $state(false);
  private guestLoaded = false;
  /** The guest's name; null until there is a guest. */
  name = $state<string | null>(null);
  serverInfo = $state.raw<ServerInfo | null>(null);
  /** The addresses of the server; loaded on demand. */
  reach = $state.raw<Reach | null>(null);
  players = $state.raw<readonly Player[]>([]);
  message = $state.raw<ToastMessage | null>(null);
  /** An open offer at another table; it is shown again after other messages, until it is closed or answered. */
  offerMessage = $state.raw<ToastMessage | null>(null);
  /** The edition of the current game, for the rules. */
  edition = $state<Edition>("ravensburger");
  /** The rule at which the rules are open, `""` for the beginning; null if they are closed. */
  rules = $state<string | null>(null);

  settingsOpen = $state(false);
  preferences = $state.raw<Preferences>(DEFAULTS);

  /** The user's tables, those that await the user first. */
  ownTables = $state.raw<readonly OwnTable[]>([]);
  /** While a table is open, the others. */
  otherTables = $state.raw<readonly OwnTable[]>([]);
  /** The table of a new user's first game, in which the side of the garden is picked automatically. */
  firstGame = $state<string | null>(null);
  private ownTablesLoaded = false;
  /** Settles when no nonce is being revealed. */
  private lastReveal: Promise<void> = Promise.resolve();
  /** The scheme under which each table was seen first on this page. */
  private readonly schemes = new Map<string, TableView["scheme"]>();
  /** Tables that were set up on this page, without daily gardens. */
  private readonly newTables = new Set<string>();

  readonly audio = new AudioPlayer(() => (this.preferences.sound ? this.preferences.volume / 100 : 0));

  private readonly names = new Map(EDITIONS.map((edition) => [edition, new EditionNames(edition)]));

  constructor(readonly settings: Settings) {
    this.preferences = settings.preferences;
    settings.subscribe((preferences) => (this.preferences = preferences));
    this.client.onconnection = (reached) => {
      if (!reached || this.guestLoaded) this.offline = !reached;
    };
    this.readLocation();
  }

  /** Load the texts, the guest, and the server's editions and players. */
  async start(): Promise<void> {
    const { language } = this;
    this.client.language = language;
    await i18n.setLanguage(language);
    document.documentElement.lang = language;
    await this.connect();
  }

  /** Load the guest, and the server's editions and players. Without a server, kept answers are used. */
  async connect(): Promise<void> {
    await Promise.all([
      this.attempt(() => this.loadGuest(), true),
      this.attempt(() => this.loadServerInfo(), true),
    ]);
  }

  /** Load what an app without its server needs in addition to its files: the rules. */
  async prepareOffline(): Promise<void> {
    await this.updates.start();
    if (this.updates.active) await Promise.all(EDITIONS.map((edition) => this.client.rules(edition)));
  }

  get motion(): Preferences["speed"] {
    return this.preferences.speed;
  }

  /** Whether complete turns are confirmed automatically. */
  get confirmsItself(): boolean {
    return this.preferences.confirmsItself;
  }

  /** The guest's name, or the one they would get. */
  get displayName(): string {
    return this.name ?? (this.preferences.name || t("guest.default"));
  }

  namesOf(edition: Edition): EditionNames {
    return this.names.get(edition)!;
  }

  playerOf(player: string): Player {
    return this.players.find((one) => one.player === player) ?? { player, name: player, about: "" };
  }

  // Navigation

  readLocation(): void {
    if (location.pathname === "/rules") {
      this.openRules(/^#(R\d+)$/.exec(location.hash)?.[1]);
      history.replaceState(null, "", "/");
    }
    this.route = parseRoute(location.pathname, location.hash);
  }

  /** `replace` leaves the current screen out of the history. */
  navigate(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.message = null;
    this.readLocation();
    if (this.route.screen === "table" && this.route.table === this.offerMessage?.table)
      this.offerMessage = null;
    scrollTo(0, 0);
  }

  /** The address for links: others cannot reach `localhost`. */
  get site(): string {
    return this.serverInfo?.site ?? this.reach?.urls[0] ?? location.origin;
  }

  link(kind: LinkKind, table: string, secret: string): string {
    return writeLink(this.site, kind, table, secret);
  }

  /** Without an answer, links use the address that is known. */
  async tryLoadReach(): Promise<void> {
    if (this.reach === null) await this.loadReach().catch(() => undefined);
  }

  async loadReach(): Promise<void> {
    this.reach = await this.client.reach();
  }

  /** Make the server reachable in the local network. */
  async openToNetwork(): Promise<void> {
    this.reach = await this.client.openToNetwork();
  }

  // Guest

  /** Create a guest if there is none, or rename the current one. */
  async ensureGuest(name = this.displayName): Promise<void> {
    const wanted = name.trim() || t("guest.default");
    if (this.name === null) this.name = (await this.client.becomeGuest(wanted)).name;
    else if (wanted !== this.name) this.name = (await this.client.rename(wanted)).name;
    if (wanted !== t("guest.default")) this.settings.setPreferences({ name: this.name });
  }

  /** Delete the guest on the server, and the links and games that this browser keeps. */
  async forgetGuest(): Promise<void> {
    await this.client.deleteGuest();
    this.name = null;
    this.settings.forgetTables();
    this.settings.setPreferences({ name: "" });
    await this.replays.clear();
  }

  private async loadGuest(): Promise<void> {
    this.name = (await this.client.me()).name;
    this.guestLoaded = true;
    this.offline = false;
    if (this.name !== null) await this.replays.save(GUEST, true);
    else if (await this.replays.find(GUEST)) await this.replays.clear(); // the guest was forgotten
  }

  // Language and appearance

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

  /** Switch to the preferred language; `lang` changes last, when all texts have loaded. */
  private async changeLanguage(): Promise<void> {
    const { language } = this;
    this.message = this.offerMessage = null; // they are written in the previous language
    this.askedForOffers.clear();
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

  /** The rules, with the names of the current edition. */
  loadRules(): Promise<Rules> {
    void i18n.language; // loads again when the language changes
    return this.client.rules(this.edition);
  }

  openRules(rule = ""): void {
    this.rules = rule;
  }

  // Messages

  /** What the toast shows. */
  get toast(): ToastMessage | null {
    return this.message ?? this.offerMessage;
  }

  closeToast(): void {
    if (this.message === null) this.offerMessage = null;
    this.message = null;
  }

  /**
   * Runs an action and shows its ApiError, if any; returns whether it succeeded. An action that `waits` for the server
   * is repeated when it answers, so that only the banner says that it does not.
   */
  async attempt(action: () => Promise<unknown>, waits = false): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!(waits && error.unreachable)) this.showError(error.problem);
      return false;
    }
  }

  showError({ sentence, rule }: Pick<Problem, "sentence" | "rule">): void {
    this.message = { text: asSentence(sentence), bad: true, rule };
  }

  showMessage(text: string, rule: string | null = null): void {
    this.message = { text, bad: false, rule };
  }

  // Reviews

  /** Request a review of a game and show it. */
  async openReview(ask: () => Promise<{ readonly review: string }>): Promise<void> {
    await this.attempt(async () => {
      await this.ensureGuest();
      this.navigate(`/review/${(await ask()).review}`);
    });
  }

  // Notifications

  /** Ask for permission to notify; returns whether it was granted. */
  async requestNotifications(): Promise<boolean> {
    const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
    this.settings.setPreferences({ calls: allowed });
    return allowed;
  }

  /** Reload the user's tables and notify about a new one that awaits them. Errors are ignored. */
  async refreshOwnTables(): Promise<void> {
    const tables = this.name === null ? [] : await this.client.myTables().catch(() => null);
    if (tables === null) return;
    const [newest] = newlyAwaiting(this.ownTablesLoaded ? this.ownTables : null, tables);
    this.ownTablesLoaded = this.name !== null;
    this.ownTables = awaitingFirst(tables);
    await this.revealElsewhere(tables);
    if (newest !== undefined) this.notify(newest.table);
    await this.findOffers(tables);
  }

  /** While a table is open: the other tables, and their offers. Errors are ignored: the user did not ask for this. */
  async refreshOtherTables(open: string): Promise<void> {
    if (this.name === null) return;
    const tables = await this.client.myTables().catch(() => []);
    this.otherTables = tables.filter(({ table }) => table !== open);
    await this.findOffers(this.otherTables);
  }

  /** Games start also while another page is shown: nonces are revealed from there. */
  private async revealElsewhere(tables: readonly OwnTable[]): Promise<void> {
    for (const { table, stage, your_turn, your_chairs } of tables)
      if (stage === "lobby" && your_turn && this.settings.hasNonces(table))
        await this.revealNonces(table, your_chairs).catch(() => {}); // the next poll tries again
  }

  /** When each table had changed last, at the time it was asked for offers. */
  private readonly askedForOffers = new Map<string, number>();

  /** Offers are seen on every page: tables with other people are asked for an open one after each change. */
  async findOffers(tables: readonly OwnTable[]): Promise<void> {
    for (const { table, stage, chairs, your_chairs, updated_at } of tables) {
      const people = chairs.filter(({ sitter }) => sitter === "person").length;
      if (stage !== "playing" || people <= your_chairs.length) continue;
      if (this.askedForOffers.get(table) === updated_at) continue;
      const view = await this.client.tableView(table).catch(() => null); // the next poll tries again
      if (view === null) continue;
      this.askedForOffers.set(table, updated_at);
      if (this.offerMessage?.table === table) this.offerMessage = null; // withdrawn or answered
      if (view.offer === null || offerRole(view, your_chairs) !== "answers") continue;
      const { what, chair } = view.offer;
      const text = asSentence(t(`log.offer_${what}`, { name: view.chairs[chair]?.name ?? "" }));
      this.offerMessage = { text, bad: false, rule: null, table };
      this.notify(table, text);
    }
  }

  /** Play a bell, and notify if the page is hidden: by default, that it is the user's turn. */
  notify(table: string, title = t("notification.title")): void {
    this.audio.play([{ sound: "bell", after: 0 }]);
    if (!document.hidden || !this.preferences.calls) return;
    if (showNotification(title, { body: t("notification.body"), tag: table, icon: "/icon-192.png" })) return;
    this.settings.setPreferences({ calls: false });
    this.showMessage(t("notification.not_possible"));
  }

  // Games

  /** Whether the user has neither played nor begun the tutorial. */
  get isNew(): boolean {
    return this.name === null && this.settings.tutorial.value === null;
  }

  /**
   * Create a table; without open chairs, the people at this screen are ready at once. In a `first` game, the side of
   * the garden is picked automatically.
   */
  async startGame(form: NewGameForm, first = false): Promise<void> {
    await this.ensureGuest(hostName(form) || this.displayName); // a name typed here is the user's from now on
    const { colour: wish } = this.preferences;
    this.settings.setPreferences({
      lastGame: settingsFromForm(form),
      colour: chairColours(form, wish)[ownChair(form)] ?? wish,
    });
    const defaultName = (chair: number) =>
      chair === 0 ? this.displayName : t("guest.other", { number: chair + 1 });
    const made = await this.client.create(toNewTable(form, defaultName, wish));
    this.saveLinks(made);
    this.noteNewTable(made.table);
    if (first) this.firstGame = made.table;
    if (!hasOpenChairs(form))
      await this.setReady(
        made.table,
        made.seats.map((seat) => seat.chair),
      );
    this.navigate(`/table/${made.table}`);
  }

  /** Create a table whose game starts at once; `begun` gets its id, `replace` as in `navigate`. */
  async openTable(table: NewTable, begun?: (table: string) => void, replace = false): Promise<void> {
    await this.ensureGuest();
    const made = await this.client.create(table);
    this.saveLinks(made);
    begun?.(made.table);
    this.navigate(`/table/${made.table}`, replace);
  }

  /** Start the daily game; `begun` gets the table id before anything else can fail. */
  async startDaily(begun: (table: string) => void): Promise<void> {
    await this.ensureGuest();
    const made = await this.client.startDaily();
    this.saveLinks(made);
    begun(made.table);
    const chairs = made.seats.map((seat) => seat.chair);
    await this.chooseColour(made.table, chairs[0]!);
    await this.setReady(made.table, chairs);
    this.navigate(`/table/${made.table}`);
  }

  private saveLinks({ table, join, watch, seats }: Created): void {
    this.settings.saveLink({ table, kind: "join", chair: null, secret: join });
    this.settings.saveLink({ table, kind: "watch", chair: null, secret: watch });
    for (const { chair, token } of seats) this.saveSeatLink(table, chair, token);
  }

  /** Replace the link to join or to watch; the old one stops working. */
  async renewTableLink(table: string, kind: "join" | "watch"): Promise<void> {
    const { token } = await this.client.renewTableLink(table, kind);
    this.settings.saveLink({ table, kind, chair: null, secret: token });
  }

  saveSeatLink(table: string, chair: number, secret: string): void {
    this.settings.saveLink({ table, kind: "seat", chair, secret });
  }

  /** Choose the preferred colour at a new table if it is not the default. */
  private async chooseColour(table: string, chair: number): Promise<void> {
    const { colour } = this.preferences;
    if (colour === null || colour === COLOURS[0]) return;
    const command = { type: "wear" as const, chair, colour };
    await this.client.sendCommand(table, { command_id: randomId(), expected_seq: 0, command, chair });
  }

  /** Start a game for the people on these chairs, if there are no others: all get ready and reveal their nonces. */
  async setReady(table: string, chairs: readonly number[]): Promise<void> {
    const view = await this.client.tableView(table, undefined, chairs[0]);
    await this.sendForAll(view, chairs, (chair) => this.readyCommand(view, chair));
    await this.revealNonces(table, chairs);
  }

  /**
   * Reveal the nonces of these chairs, if everyone at the table is committed. One call at a time: a game that has just
   * been started is also among the user's tables, and a nonce that is sent twice is refused.
   */
  private revealNonces(table: string, chairs: readonly number[]): Promise<void> {
    const revealed = this.lastReveal.then(() => this.revealOwedNonces(table, chairs));
    this.lastReveal = revealed.catch(() => {});
    return revealed;
  }

  private async revealOwedNonces(table: string, chairs: readonly number[]): Promise<void> {
    const view = await this.client.tableView(table, undefined, chairs[0]);
    const nonces = new Map<number, string>();
    for (const chair of chairs) {
      const nonce = view.shuffling && view.waiting.includes(chair) ? this.nonceToReveal(view, chair) : null;
      if (nonce !== null) nonces.set(chair, nonce);
    }
    await this.sendForAll(view, [...nonces.keys()], (chair) => ({
      type: "reveal",
      nonce: nonces.get(chair)!,
    }));
  }

  private async sendForAll(
    { table, seq: expected_seq }: TableView,
    chairs: readonly number[],
    commandOf: (chair: number) => Command | null,
  ): Promise<void> {
    for (const chair of chairs) {
      const command = commandOf(chair);
      if (command === null) return;
      const given = { command_id: randomId(), expected_seq, command, chair };
      expected_seq = (await this.client.sendCommand(table, given)).seq;
    }
  }

  /** Nobody may get ready at a table that the server later shows under another scheme. */
  noteScheme({ table, scheme }: Pick<TableView, "table" | "scheme">): void {
    if (!this.schemes.has(table)) this.schemes.set(table, scheme);
  }

  noteNewTable(table: string): void {
    this.newTables.add(table);
  }

  /**
   * The command by which somebody at this screen gets ready. The nonce is kept until it can be revealed. Null if the
   * server wants it at once, except for a daily garden, which uses none, and at a table of an earlier version.
   */
  readyCommand(view: TableView, chair: number): Command | null {
    const { table, scheme, commitment } = view;
    const nonce = randomNonce();
    this.noteScheme(view);
    if (this.schemes.get(table) === scheme) {
      if (commitment !== null && isCommitting(scheme)) {
        const committed = nonceCommitment(view, commitment, chair, nonce);
        this.settings.saveNonce({ table, commitment: committed, nonce, deal: null });
        return { type: "ready", commitment: committed };
      }
      if (scheme === "fair/1" && !this.newTables.has(table) && !this.settings.hasNonces(table))
        return { type: "ready", nonce: isDailyGame(view) ? UNUSED_NONCE : nonce };
    }
    this.showError({ sentence: t("lobby.wrong_scheme"), rule: null });
    return null;
  }

  /**
   * The nonce of a chair at a table where everyone is committed. Null if this browser does not have it, or if the deal
   * is not the one that everyone has committed to, or not the one for which the nonce was revealed before.
   */
  nonceToReveal(view: TableView, chair: number | null): string | null {
    const kept = this.settings.nonceOf(view.chairs[chair ?? -1]?.commitment ?? "");
    if (kept === undefined || chair === null) return null;
    const deal = verifiedDeal(view, chair, kept.nonce);
    if (deal === null || deal !== (kept.deal ?? deal)) {
      this.showError({ sentence: t("lobby.wrong_deal"), rule: null });
      return null;
    }
    const { scheme, terms } = view;
    this.settings.saveNonce({ ...kept, deal, ...(scheme === "fair/2" ? { first: terms.first } : {}) });
    return kept.nonce;
  }

  /** What this browser knows of the deal, in words; null if it has revealed no nonce, or if nothing was dealt. */
  dealStatus(view: TableView): MessageKey | null {
    const { chair } = view.you;
    if (chair === null || view.stage === "lobby" || view.ending?.fair === null) return null;
    const kept = this.settings.nonceOf(view.chairs[chair]?.commitment ?? "");
    if (!kept?.deal) return this.settings.hasRevealed(view.table) ? "end.fair_unknown" : null;
    if (!isDealKept(view, chair, kept)) return "end.fair_broken";
    return view.ending === null ? "end.fair_noted" : "end.fair_proved";
  }
}

/** Whether it is a daily garden, at which nobody plays against other people. */
function isDailyGame({ terms, chairs }: TableView): boolean {
  return terms.daily !== undefined && chairs.filter(({ sitter }) => sitter === "person").length === 1;
}

/** Runs one action at a time; others are ignored meanwhile. */
export class Task {
  busy = $state(false);

  constructor(private readonly app: App) {}

  /** Returns whether the action succeeded; if not, its error is shown. */
  async run(action: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const done = await this.app.attempt(action);
    this.busy = false;
    return done;
  }

  /** A submit handler for a form. */
  onsubmit(action: () => Promise<unknown>): (event: SubmitEvent) => void {
    return (event) => {
      event.preventDefault();
      void this.run(action);
    };
  }
}

/** A message of the server with a capital letter and a full stop. */
export function asSentence(clause: string): string {
  return withFullStop(capitalize(clause));
}

export const [useApp, provideApp] = createContext<App>();
