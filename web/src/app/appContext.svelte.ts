/** The application: who one is, in which language, at which address; what every screen needs. */
import { createContext } from "svelte";

import { Client, Trouble } from "../net/client";
import type {
  Created,
  Edition,
  House,
  Language,
  NewTable,
  OwnTable,
  Player,
  Problem,
  Reach,
  Rules,
} from "../net/types";
import { drawId, drawNonce } from "../net/randomIds";
import { Loudspeaker } from "./audio";
import { readAddress, writeLink, type Address, type LinkKind } from "./router";
import { callingFirst, newlyCalling } from "./turnNotifications";
import { COLOURS } from "../game/colours";
import { coloursOf, gameOf, isOpen, newTable, selfOf, type Plan } from "../game/newGameForm";
import { browserLanguage, DEFAULTS, type Preferences, type Settings } from "./settings";
import { Names } from "../i18n/editionNames.svelte";
import { capital, say, speech } from "../i18n/i18n.svelte";

/** Something that is said at the edge of the screen. */
export interface Notice {
  readonly text: string;
  readonly bad: boolean;
  /** The rule that says so, if one does. */
  readonly rule: string | null;
}

const EDITIONS: readonly Edition[] = ["ravensburger", "imperial"];

export class App {
  readonly client = new Client(undefined, () => say("trouble.unreachable"));

  address = $state.raw<Address>({ screen: "start" });
  /** What others call this guest; null until the server knows one. */
  name = $state<string | null>(null);
  house = $state.raw<House | null>(null);
  /** Where others find the server, once somebody wants to know. */
  reach = $state.raw<Reach | null>(null);
  players = $state.raw<readonly Player[]>([]);
  notice = $state.raw<Notice | null>(null);
  /** The edition that is on the table. */
  edition = $state<Edition>("ravensburger");
  /** The rule at which the rules are open, `""` for their beginning; null: they are closed. */
  rules = $state<string | null>(null);

  /** Whether the settings are open. */
  settingsOpen = $state(false);
  preferences = $state.raw<Preferences>(DEFAULTS);

  /** The own tables as they were found last, those first that call. */
  own = $state.raw<readonly OwnTable[]>([]);
  private looked = false;

  readonly loudspeaker = new Loudspeaker(() => (this.preferences.sound ? this.preferences.volume / 100 : 0));

  private readonly names = new Map(EDITIONS.map((edition) => [edition, new Names(edition)]));

  constructor(readonly settings: Settings) {
    this.preferences = settings.preferences;
    settings.subscribe((preferences) => (this.preferences = preferences));
    this.arrive();
  }

  /** Speak, and ask the server who one is and what it offers. */
  async open(): Promise<void> {
    const { language } = this;
    this.client.language = language;
    await speech.speak(language);
    document.documentElement.lang = language;
    await this.attempt(async () => {
      await Promise.all([this.greet(), this.ask()]);
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
  get called(): string {
    return this.name ?? (this.preferences.name || say("guest.default"));
  }

  namesOf(edition: Edition): Names {
    return this.names.get(edition)!;
  }

  /** What a computer player is called, and what it is like. */
  playerOf(player: string): Player {
    return this.players.find((one) => one.player === player) ?? { player, name: player, about: "" };
  }

  // Addresses

  arrive(): void {
    this.address = readAddress(location.pathname, location.hash);
  }

  /** Show another screen; `instead` of this one, so that the way back does not lead through it. */
  go(path: string, instead = false): void {
    if (instead) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.notice = null;
    this.arrive();
    scrollTo(0, 0);
  }

  /** Where others find the server, which is not where its own computer does. */
  get site(): string {
    return this.house?.site ?? this.reach?.urls[0] ?? location.origin;
  }

  /** A link for others. */
  link(kind: LinkKind, table: string, secret: string): string {
    return writeLink(this.site, kind, table, secret);
  }

  /** The same where it is no more than a wish to know: a link is begun with what is known. */
  async learnReach(): Promise<void> {
    if (this.reach === null) await this.askReach().catch(() => undefined);
  }

  /** Ask how far the server can be heard. */
  async askReach(): Promise<void> {
    this.reach = await this.client.whereabouts();
  }

  /** Let the server be heard in the local network. */
  async widen(): Promise<void> {
    this.reach = await this.client.widen();
  }

  // Who one is

  /** Become a guest if one is none yet: with the name that is given, or a friendly one. */
  async beSomebody(name = this.called): Promise<void> {
    const wanted = name.trim() || say("guest.default");
    if (this.name === null) this.name = (await this.client.becomeGuest(wanted)).name;
    else if (wanted !== this.name) this.name = (await this.client.rename(wanted)).name;
    if (wanted !== say("guest.default")) this.settings.prefer({ name: this.name });
  }

  private async greet(): Promise<void> {
    this.name = (await this.client.me()).name;
  }

  // Language and looks

  private get language(): Language {
    return this.preferences.language ?? browserLanguage(navigator.languages);
  }

  async speak(language: Language): Promise<void> {
    this.settings.prefer({ language });
    await this.changeLanguage();
  }

  /** Apply settings that another tab has stored; `key` is the one of the storage event. */
  async syncSettings(key: string | null): Promise<void> {
    this.settings.reload(key);
    if (this.language !== speech.language) await this.changeLanguage();
  }

  /** Show everything in the preferred language; `lang` changes last, when all words have arrived. */
  private async changeLanguage(): Promise<void> {
    const { language } = this;
    this.notice = null; // it is written in the previous language
    this.client.language = language;
    await speech.speak(language);
    await this.attempt(() => this.ask()).finally(() => (document.documentElement.lang = language));
  }

  private async ask(): Promise<void> {
    const [house, players] = await Promise.all([
      this.house ?? this.client.house(),
      this.client.players(),
      ...[...this.names.values()].map((names) => names.load(this.client)),
    ]);
    this.house = house;
    this.players = players;
  }

  /** With the names of the edition that is played, or of the last game. */
  loadRules(): Promise<Rules> {
    void speech.language; // asked again when it changes
    return this.client.rules(this.edition);
  }

  openRules(rule = ""): void {
    this.rules = rule;
  }

  // Troubles

  /** Do something that may be refused; every no is shown. Says whether it was done. */
  async attempt(deed: () => Promise<void>): Promise<boolean> {
    try {
      await deed();
      return true;
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      this.object(trouble.problem);
      return false;
    }
  }

  /** Show why something was not done. */
  object({ sentence, rule }: Pick<Problem, "sentence" | "rule">): void {
    this.notice = { text: asSentence(sentence), bad: true, rule };
  }

  /** Say what has happened. */
  tell(text: string, rule: string | null = null): void {
    this.notice = { text, bad: false, rule };
  }

  // Looking back

  /** Have a game reviewed, and show how far that is. */
  async lookBack(ask: () => Promise<{ readonly review: string }>): Promise<void> {
    await this.attempt(async () => {
      await this.beSomebody();
      this.go(`/review/${(await ask()).review}`);
    });
  }

  // Calls

  /** Ask the browser whether it may tell when it is one's turn; its user decides. Says whether it may. */
  async allowCalls(): Promise<boolean> {
    const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
    this.settings.prefer({ calls: allowed });
    return allowed;
  }

  /** Look which tables call, and call out those that did not before. What cannot be had is left as it was. */
  async lookForCalls(): Promise<void> {
    const tables = this.name === null ? [] : await this.client.myTables().catch(() => null);
    if (tables === null) return;
    const [news] = newlyCalling(this.looked ? this.own : null, tables);
    this.looked = this.name !== null;
    this.own = callingFirst(tables);
    if (news !== undefined) this.call(news.table);
  }

  /** It has become one's turn: a bell, and a word from the browser if nobody looks. */
  call(table: string): void {
    this.loudspeaker.play([{ sound: "bell", after: 0 }]);
    if (!document.hidden || !this.preferences.calls || !("Notification" in window)) return;
    if (Notification.permission !== "granted") return;
    try {
      const options = { body: say("call.body"), tag: table, icon: "/icon-192.png" };
      const notice = new Notification(say("call.title"), options);
      notice.onclick = () => (focus(), notice.close());
    } catch {
      // Chrome on Android has the word for it, but lets no page speak it.
      this.settings.prefer({ calls: false });
      this.tell(say("call.not_possible"));
    }
  }

  // Games

  /** Set a table up; where nobody is to come, the own people are ready at once. */
  async begin(plan: Plan): Promise<void> {
    await this.beSomebody();
    const { colour: wish } = this.preferences;
    this.settings.prefer({ lastGame: gameOf(plan), colour: coloursOf(plan, wish)[selfOf(plan)] ?? wish });
    const called = (chair: number) => (chair === 0 ? this.called : say("guest.other", { number: chair + 1 }));
    const made = await this.client.create(newTable(plan, called, wish));
    this.keepLinks(made);
    if (!isOpen(plan))
      await this.beReady(
        made.table,
        made.seats.map((seat) => seat.chair),
      );
    this.go(`/table/${made.table}`);
  }

  /** Set a table up at which the game begins at once; `begun` is told which, `instead` as in `go`. */
  async playAt(table: NewTable, begun?: (table: string) => void, instead = false): Promise<void> {
    await this.beSomebody();
    const made = await this.client.create(table);
    this.keepLinks(made);
    begun?.(made.table);
    this.go(`/table/${made.table}`, instead);
  }

  /** Play the deal of today; `begun` is told the table before anything else can go wrong. */
  async beginDaily(begun: (table: string) => void): Promise<void> {
    await this.beSomebody();
    const made = await this.client.beginDaily();
    this.keepLinks(made);
    begun(made.table);
    const chairs = made.seats.map((seat) => seat.chair);
    await this.beReady(made.table, chairs, await this.wear(made.table, chairs[0]!));
    this.go(`/table/${made.table}`);
  }

  private keepLinks({ table, join, watch, seats }: Created): void {
    this.settings.keepLink({ table, kind: "join", chair: null, secret: join });
    this.settings.keepLink({ table, kind: "watch", chair: null, secret: watch });
    for (const { chair, token } of seats) this.keepSeat(table, chair, token);
  }

  /** A new link to join or to watch; the old one opens nothing any more. */
  async renewDoor(table: string, kind: "join" | "watch"): Promise<void> {
    const { token } = await this.client.renewDoor(table, kind);
    this.settings.keepLink({ table, kind, chair: null, secret: token });
  }

  keepSeat(table: string, chair: number, secret: string): void {
    this.settings.keepLink({ table, kind: "seat", chair, secret });
  }

  /** Wear at a new table what one wore last, where the first chair would wear something else; answers its seq. */
  private async wear(table: string, chair: number): Promise<number> {
    const { colour } = this.preferences;
    if (colour === null || colour === COLOURS[0]) return 0;
    const command = { type: "wear" as const, chair, colour };
    return (await this.client.give(table, { command_id: drawId(), expected_seq: 0, command, chair })).seq;
  }

  /** Say at a new table that the people of these chairs are ready. */
  async beReady(table: string, chairs: readonly number[], seq = 0): Promise<void> {
    for (const chair of chairs) {
      const command = { type: "ready" as const, nonce: drawNonce() };
      const done = await this.client.give(table, { command_id: drawId(), expected_seq: seq, command, chair });
      seq = done.seq;
    }
  }
}

/** A clause of the server with its capital and its full stop; a square stays small. */
export function asSentence(clause: string): string {
  const whole = capital(clause);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

export const [useApp, provideApp] = createContext<App>();
