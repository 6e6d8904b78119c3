/**
 * The events of a table as entries of a log, without any texts.
 *
 * An `EventLog` grows with every update. Turns that were taken back stay in it and are marked.
 */

import {
  asCard,
  asColumn,
  asTurn,
  columnOf,
  ownSquare,
  type Card,
  type Column,
  type Motif,
  type Square,
  type Turn,
} from "./notation";
import type { TurnPoints } from "./points";
import { afterTurn, snapshotOf, startSnapshot, type BoardSnapshot } from "./boardSnapshot";
import type { ChairView, PlayEvent, Stage, TableEvent, TableView, Update } from "../net/types";

/** Who acted: the person, a computer player on its own chair, a stand-in, or the server. */
export type By = "person" | "computer" | "stand_in" | "house";

interface EntryBase {
  readonly seq: number;
  readonly at: number;
  readonly chair: number | null;
  /** In turn order; null before seats are drawn, or if no player acted. */
  readonly seat: number | null;
  readonly by: By;
  /** The stage that began with this event. */
  readonly opens: Stage | null;
}

export interface TurnEntry extends EntryBase {
  readonly kind: "turn";
  readonly text: string;
  readonly turn: Turn;
  /** From 1. */
  readonly round: number;
  /** The motif of the tile, also if it became a gardener. */
  readonly motif: Motif;
  /** Where the tile belongs; a gardener lies elsewhere. */
  readonly own: Square;
  readonly noble: NobleMove | null;
  /** `to` is null where it left. */
  readonly boar: { readonly from: Square; readonly to: Square | null } | null;
  readonly points: TurnPoints;
  readonly refill: Motif | null;
  /** The viewer's own draw; null if the pile was empty, undefined for other players. */
  readonly draw: Card | null | undefined;
  /** Whether it was taken back. */
  readonly undone: boolean;
}

export interface NobleMove {
  readonly column: Column;
  /** Null if unknown. */
  readonly from: Square | "terrace" | null;
  readonly to: Square;
}

export type LogEntry =
  | TurnEntry
  | (EntryBase & {
      readonly kind: "take_back";
      /** The sequence numbers of the undone turns. */ readonly turns: readonly number[];
    })
  | (EntryBase & { readonly kind: "sit"; readonly target: number; readonly name: string })
  | (EntryBase & {
      readonly kind: "appoint";
      readonly target: number;
      readonly player: string | null;
      readonly name: string;
    })
  /** `carried`: the vote passed, and a stand-in plays. */
  | (EntryBase & { readonly kind: "vote"; readonly target: number; readonly carried: boolean })
  | (EntryBase & { readonly kind: "time_out"; readonly target: number })
  | (EntryBase & { readonly kind: "rematch"; readonly table: string })
  | (EntryBase & {
      readonly kind:
        | "create"
        | "rise"
        | "ready"
        | "unready"
        | "wear"
        | "pick"
        | "concede"
        | "step_away"
        | "return"
        | "abandon"
        /** Earlier events are missing. */
        | "missed";
    });

/** A turn that was not taken back, with the board before it. */
interface StandingTurn {
  readonly seq: number;
  readonly seat: number | null;
  readonly before: BoardSnapshot | null;
}

export interface EventLog {
  readonly entries: readonly LogEntry[];
  /** The sequence number of the last event. */
  readonly seq: number;
  readonly stage: Stage | null;
  readonly board: BoardSnapshot | null;
  readonly standingTurns: readonly StandingTurn[];
  /** Whether no event is missing. */
  readonly whole: boolean;
}

export const EMPTY_LOG: EventLog = {
  entries: [],
  seq: -1,
  stage: null,
  board: null,
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
  const begun = first && first.seq > log.seq + 1 ? withGap(log, first) : log;
  const told = events.reduce((grown, event) => appendEvent(grown, event, update), begun);
  const { game } = update.view;
  return { ...told, seq: update.seq, board: game === null ? null : snapshotOf(game) };
}

function withGap(log: EventLog, { seq, at }: TableEvent): EventLog {
  const gap: LogEntry = {
    kind: "missed",
    seq: seq - 1,
    at,
    chair: null,
    seat: null,
    by: "house",
    opens: null,
  };
  return { ...log, entries: [...log.entries, gap], board: null, standingTurns: [], whole: false };
}

function appendEvent(log: EventLog, event: TableEvent, update: LogUpdate): EventLog {
  const grown = { ...log, seq: event.seq, stage: event.stage };
  const told = entryBase(event, update.view, log.stage);
  if (event.type === "play") return withTurn(grown, event, told, update);
  if (event.type === "take_back") return withoutTurns(grown, told);
  return { ...grown, entries: [...grown.entries, plain(event, told)] };
}

function entryBase(event: TableEvent, view: LogUpdate["view"], stage: Stage | null): EntryBase {
  const chair = event.chair === null ? undefined : view.chairs[event.chair];
  const forPerson = chair?.sitter === "person" ? "stand_in" : "computer";
  const by: By = !event.house ? "person" : chair === undefined ? "house" : forPerson;
  const opens = event.stage === stage ? null : event.stage;
  return { seq: event.seq, at: event.at, chair: event.chair, seat: chair?.seat ?? null, by, opens };
}

function withTurn(log: EventLog, event: PlayEvent, told: EntryBase, update: LogUpdate): EventLog {
  const { game, origin } = update.view;
  // A game continued from a record has no events for its beginning.
  const fresh = log.whole && log.standingTurns.length === 0 && game !== null && origin === null;
  const board = log.board ?? (fresh ? startSnapshot(game, update.events) : null);
  const entry = turnEntry(board, event, told);
  const after = board && told.seat !== null ? afterTurn(board, told.seat, entry.turn, entry.refill) : null;
  return {
    ...log,
    entries: [...log.entries, entry],
    standingTurns: [...log.standingTurns, { seq: event.seq, seat: told.seat, before: board }],
    board: after,
  };
}

function turnEntry(board: BoardSnapshot | null, event: PlayEvent, told: EntryBase): TurnEntry {
  const turn = asTurn(event.turn);
  const motif = asColumn(event.tile);
  const { nobles, rewards, boar } = event.points;
  return {
    ...told,
    kind: "turn",
    text: event.turn,
    turn,
    round: event.round,
    motif,
    own: ownSquare(motif, turn.space),
    noble: nobleMove(board, told.seat, turn.noble),
    boar: turn.boar && { from: turn.square, to: turn.boar === "x" ? null : turn.boar },
    points: { nobles, rewards, boar, total: nobles + rewards + boar },
    refill: event.refill === null ? null : asColumn(event.refill),
    draw: event.draw === undefined || event.draw === null ? event.draw : asCard(event.draw),
    undone: false,
  };
}

function nobleMove(board: BoardSnapshot | null, seat: number | null, to: Square | null): NobleMove | null {
  if (to === null) return null;
  const column = columnOf(to);
  const nobles = seat === null ? undefined : board?.nobles[seat];
  return { column, from: nobles ? (nobles.get(column) ?? "terrace") : null, to };
}

/** Taking back undoes that player's last turn and everything after it. */
function withoutTurns(log: EventLog, told: EntryBase): EventLog {
  const at = log.standingTurns.map(({ seat }) => seat).lastIndexOf(told.seat);
  const undone = at < 0 ? log.standingTurns : log.standingTurns.slice(at);
  const turns = undone.map(({ seq }) => seq);
  const marked = log.entries.map((entry) =>
    entry.kind === "turn" && turns.includes(entry.seq) ? { ...entry, undone: true } : entry,
  );
  return {
    ...log,
    entries: [...marked, { ...told, kind: "take_back", turns }],
    standingTurns: log.standingTurns.slice(0, Math.max(at, 0)),
    board: at < 0 ? null : (log.standingTurns[at]?.before ?? null),
  };
}

function plain(event: Exclude<TableEvent, { type: "play" }>, told: EntryBase): LogEntry {
  switch (event.type) {
    case "sit":
      return { ...told, kind: "sit", target: event.target, name: event.name };
    case "appoint":
      return { ...told, kind: "appoint", target: event.target, player: event.player, name: event.name };
    case "vote":
      return { ...told, kind: "vote", target: event.target, carried: event.carried };
    case "time_out":
      return { ...told, kind: "time_out", target: event.target };
    case "rematch":
      return { ...told, kind: "rematch", table: event.table };
    case "take_back":
      return { ...told, kind: "take_back", turns: [] };
    default:
      return { ...told, kind: event.type };
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
