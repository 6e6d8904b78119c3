/**
 * The events of a table as entries of a log, without any texts.
 *
 * An `EventLog` grows with every update. Turns that were taken back stay in it and are marked.
 *
 * An event says where a noble went, but not where it came from. The log keeps track of that: it takes the positions from
 * the view before the event, and follows them through the turns. For the events of a whole game there is no view before
 * them, but then all nobles start on the terrace.
 */

import { gardenOf } from "./garden";
import { asColumn, asTurn, columnOf, type Column, type Motif, type Square, type Turn } from "./notation";
import type { OfferKind } from "./offers";
import type { TurnPoints } from "./points";
import type { ChairView, GameView, PlayEvent, Stage, TableEvent, TableView, Update } from "../net/types";

/** Who acted: the person, a computer player on its own chair, a stand-in, or the server. */
export type By = "person" | "computer" | "stand_in" | "house";

interface EntryBase {
  readonly seq: number;
  readonly chair: number | null;
  /** In turn order; null before seats are drawn, or if no player acted. */
  readonly seat: number | null;
  readonly by: By;
  /** The stage that began with this event. */
  readonly opens: Stage | null;
}

export interface TurnEntry extends EntryBase {
  readonly kind: "turn";
  readonly turn: Turn;
  /** The motif of the tile, also if it became a gardener. */
  readonly motif: Motif;
  /** Where the noble of the turn stood before; null if none moved, or if unknown. */
  readonly nobleFrom: Square | "terrace" | null;
  readonly points: TurnPoints;
  readonly refill: Motif | null;
  /** Whether it was taken back. */
  readonly undone: boolean;
}

export type LogEntry =
  | TurnEntry
  /** `carried`: the vote passed, and a stand-in plays. */
  | (EntryBase & { readonly kind: "vote"; readonly target: number; readonly carried: boolean })
  | (EntryBase & { readonly kind: "time_out"; readonly target: number })
  | (EntryBase & { readonly kind: "offer"; readonly what: OfferKind })
  /** A pause to which the last person has agreed. */
  | (EntryBase & { readonly kind: "paused" })
  /** `missed`: earlier events are missing. */
  | (EntryBase & {
      readonly kind: Exclude<TableEvent["type"], "play" | "vote" | "time_out" | "offer"> | "missed";
    });

/** Where the nobles stand, by seat; those on the terrace are missing. */
type NoblePositions = readonly ReadonlyMap<Column, Square>[];

/** A turn that was not taken back. */
interface StandingTurn {
  readonly seq: number;
  readonly seat: number | null;
  readonly noblesBefore: NoblePositions | null;
}

export interface EventLog {
  readonly entries: readonly LogEntry[];
  /** The sequence number of the last event. */
  readonly seq: number;
  readonly stage: Stage | null;
  /** Null if unknown. */
  readonly nobles: NoblePositions | null;
  readonly standingTurns: readonly StandingTurn[];
  /** Whether no event is missing. */
  readonly whole: boolean;
}

export const EMPTY_LOG: EventLog = {
  entries: [],
  seq: -1,
  stage: null,
  nobles: null,
  standingTurns: [],
  whole: true,
};

/** The part of an update that the log needs. */
export type LogUpdate = Pick<Update, "seq" | "events"> & {
  readonly view: Pick<TableView, "game" | "origin"> & {
    readonly chairs: readonly Pick<ChairView, "seat" | "sitter">[];
  };
};

/** The log with the events of an update; events that it already has are skipped. */
export function appendUpdate(log: EventLog, update: LogUpdate): EventLog {
  const events = update.events.filter((event) => event.seq > log.seq);
  const [first] = events;
  const start = first && first.seq > log.seq + 1 ? withGap(log, first) : log;
  const grown = events.reduce((grown, event) => appendEvent(grown, event, update), start);
  const { game } = update.view;
  return { ...grown, seq: update.seq, nobles: game && noblesIn(game) };
}

function withGap(log: EventLog, { seq }: TableEvent): EventLog {
  const gap: LogEntry = { kind: "missed", seq: seq - 1, chair: null, seat: null, by: "house", opens: null };
  return { ...log, entries: [...log.entries, gap], nobles: null, standingTurns: [], whole: false };
}

function appendEvent(log: EventLog, event: TableEvent, update: LogUpdate): EventLog {
  const grown = { ...log, seq: event.seq, stage: event.stage };
  const base = entryBase(event, update.view, log.stage);
  if (event.type === "play") return withTurn(grown, event, base, update.view);
  if (event.type === "take_back") return withoutTurns(grown, base);
  if (event.type === "accept" && event.carried && event.what === "take_back") {
    const seat = update.view.chairs[event.target]?.seat ?? null;
    return withoutTurns(grown, { ...base, chair: event.target, seat });
  }
  return { ...grown, entries: [...grown.entries, plainEntry(event, base)] };
}

function entryBase(event: TableEvent, view: LogUpdate["view"], stage: Stage | null): EntryBase {
  const chair = event.chair === null ? undefined : view.chairs[event.chair];
  const forPerson = chair?.sitter === "person" ? "stand_in" : "computer";
  const by: By = !event.house ? "person" : chair === undefined ? "house" : forPerson;
  const opens = event.stage === stage ? null : event.stage;
  return { seq: event.seq, chair: event.chair, seat: chair?.seat ?? null, by, opens };
}

function withTurn(
  log: EventLog,
  event: PlayEvent,
  base: EntryBase,
  { game, origin }: LogUpdate["view"],
): EventLog {
  // A game continued from a record has no events for its beginning.
  const isFirst = log.whole && log.standingTurns.length === 0 && origin === null;
  const noblesBefore = log.nobles ?? (isFirst && game ? game.gardens.map(() => new Map()) : null);
  const entry = turnEntry(noblesBefore, event, base);
  return {
    ...log,
    entries: [...log.entries, entry],
    standingTurns: [...log.standingTurns, { seq: event.seq, seat: base.seat, noblesBefore }],
    nobles: base.seat === null ? null : noblesAfter(noblesBefore, base.seat, entry.turn),
  };
}

function turnEntry(nobles: NoblePositions | null, event: PlayEvent, base: EntryBase): TurnEntry {
  const turn = asTurn(event.turn);
  const { nobles: noblePoints, rewards, boar } = event.points;
  return {
    ...base,
    kind: "turn",
    turn,
    motif: asColumn(event.tile),
    nobleFrom: nobleFrom(nobles?.[base.seat ?? -1], turn),
    points: { nobles: noblePoints, rewards, boar, total: noblePoints + rewards + boar },
    refill: event.refill === null ? null : asColumn(event.refill),
    undone: false,
  };
}

function nobleFrom(
  nobles: ReadonlyMap<Column, Square> | undefined,
  { noble }: Turn,
): Square | "terrace" | null {
  if (noble === null || nobles === undefined) return null;
  return nobles.get(columnOf(noble)) ?? "terrace";
}

function noblesIn(game: GameView): NoblePositions {
  return game.gardens.map((garden) => gardenOf(garden).nobles);
}

function noblesAfter(nobles: NoblePositions | null, seat: number, { noble }: Turn): NoblePositions | null {
  if (nobles === null || noble === null) return nobles;
  return nobles.map((own, index) => (index === seat ? new Map([...own, [columnOf(noble), noble]]) : own));
}

/** Taking back undoes that player's last turn and everything after it. */
function withoutTurns(log: EventLog, base: EntryBase): EventLog {
  const at = log.standingTurns.map(({ seat }) => seat).lastIndexOf(base.seat);
  const undone = new Set(log.standingTurns.slice(Math.max(at, 0)).map(({ seq }) => seq));
  const marked = log.entries.map((entry) =>
    entry.kind === "turn" && undone.has(entry.seq) ? { ...entry, undone: true } : entry,
  );
  return {
    ...log,
    entries: [...marked, { ...base, kind: "take_back" }],
    standingTurns: log.standingTurns.slice(0, Math.max(at, 0)),
    nobles: log.standingTurns[at]?.noblesBefore ?? null,
  };
}

function plainEntry(event: Exclude<TableEvent, { type: "play" }>, base: EntryBase): LogEntry {
  switch (event.type) {
    case "vote":
      return { ...base, kind: "vote", target: event.target, carried: event.carried };
    case "time_out":
      return { ...base, kind: "time_out", target: event.target };
    case "offer":
      return { ...base, kind: "offer", what: event.what };
    case "accept":
      return { ...base, kind: event.carried && event.what === "pause" ? "paused" : "accept" };
    default:
      return { ...base, kind: event.type };
  }
}

/** All entries except turns that were taken back. */
export function standingEntries(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.filter((entry) => entry.kind !== "turn" || !entry.undone);
}

/** The turns that were not taken back. */
export function turnsOf(entries: readonly LogEntry[]): readonly TurnEntry[] {
  return entries.filter((entry): entry is TurnEntry => entry.kind === "turn" && !entry.undone);
}

/**
 * What has happened since the last turn that the person on a seat played, or since the start; turns of their stand-in
 * are included. Spectators (null) get the last round.
 */
export function sinceMyLastTurn(entries: readonly LogEntry[], seat: number | null): readonly LogEntry[] {
  const stands = standingEntries(entries);
  const turns = turnsOf(entries);
  const mine =
    seat === null
      ? turns.slice(0, -1).filter((turn) => turn.seat === turns.at(-1)?.seat)
      : turns.filter((turn) => turn.seat === seat && turn.by === "person");
  const since = mine.at(-1)?.seq ?? stands.find((entry) => entry.opens === "playing")?.seq ?? -1;
  return stands.filter((entry) => entry.seq > since);
}

/** The position after the turn of an event; null if that turn does not stand. `last` is the current position. */
export function positionOf(entries: readonly LogEntry[], seq: number, last: number): number | null {
  const turns = turnsOf(entries);
  const at = turns.findIndex((turn) => turn.seq === seq);
  return at < 0 ? null : last - (turns.length - 1 - at);
}

/** The turn that led to a position; undefined for the first position, or if the log does not reach back that far. */
export function turnAt(entries: readonly LogEntry[], turn: number, last: number): TurnEntry | undefined {
  const turns = turnsOf(entries);
  return turns[turn - 1 - (last - turns.length)];
}
