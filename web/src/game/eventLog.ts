/**
 * What has happened at a table, for a log and for showing it once more: events made whole, without any sentence.
 *
 * A `Chronicle` grows with every update. Turns that were taken back stay in it and are marked.
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
import { played, sceneOf, startOf, type Scene } from "./boardSnapshot";
import type { PlayEvent, Stage, TableEvent, TableView, Update } from "../net/types";

/** Who did it: the person, a computer player on its own chair, one that plays for a person, or the house itself. */
export type By = "person" | "computer" | "stand_in" | "house";

interface Told {
  readonly seq: number;
  readonly at: number;
  readonly chair: number | null;
  /** In turn order; null where it has none yet, or nobody did it. */
  readonly seat: number | null;
  readonly by: By;
  /** The stage that began with it. */
  readonly opens: Stage | null;
}

export interface TurnTelling extends Told {
  readonly kind: "turn";
  readonly text: string;
  readonly turn: Turn;
  /** From 1. */
  readonly round: number;
  /** The motif of the tile, whether it was laid or became a gardener. */
  readonly motif: Motif;
  /** Where the tile belongs; a gardener lies elsewhere. */
  readonly own: Square;
  readonly noble: NobleMove | null;
  /** `to` is null where it left. */
  readonly boar: { readonly from: Square; readonly to: Square | null } | null;
  readonly points: TurnPoints;
  readonly refill: Motif | null;
  /** The own card that was drawn; null if there was none, undefined for others' turns. */
  readonly draw: Card | null | undefined;
  /** Whether it was taken back. */
  readonly undone: boolean;
}

export interface NobleMove {
  readonly column: Column;
  /** Null: not known. */
  readonly from: Square | "terrace" | null;
  readonly to: Square;
}

export type Telling =
  | TurnTelling
  | (Told & {
      readonly kind: "take_back";
      /** The turns that were undone. */ readonly turns: readonly number[];
    })
  | (Told & { readonly kind: "sit"; readonly target: number; readonly name: string })
  | (Told & {
      readonly kind: "appoint";
      readonly target: number;
      readonly player: string | null;
      readonly name: string;
    })
  /** `carried`: a stand-in plays now. */
  | (Told & { readonly kind: "vote"; readonly target: number; readonly carried: boolean })
  | (Told & { readonly kind: "time_out"; readonly target: number })
  | (Told & { readonly kind: "rematch"; readonly table: string })
  | (Told & {
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
        /** Events before this one are not told any more. */
        | "missed";
    });

/** A turn that stands, and how things were before it. */
interface Standing {
  readonly seq: number;
  readonly seat: number | null;
  readonly before: Scene | null;
}

export interface Chronicle {
  readonly tellings: readonly Telling[];
  /** The last event in it. */
  readonly seq: number;
  readonly stage: Stage | null;
  readonly scene: Scene | null;
  readonly standing: readonly Standing[];
  /** Whether no event is missing. */
  readonly whole: boolean;
}

export const BLANK: Chronicle = {
  tellings: [],
  seq: -1,
  stage: null,
  scene: null,
  standing: [],
  whole: true,
};

/** As much of an update as is needed to tell it. */
export type Heard = Pick<Update, "seq" | "events"> & {
  readonly view: Pick<TableView, "chairs" | "game" | "origin">;
};

/** The chronicle with what an update tells; events that it has already are passed over. */
export function tell(chronicle: Chronicle, update: Heard): Chronicle {
  const events = update.events.filter((event) => event.seq > chronicle.seq);
  const [first] = events;
  const begun = first && first.seq > chronicle.seq + 1 ? withGap(chronicle, first) : chronicle;
  const told = events.reduce((grown, event) => tellOne(grown, event, update), begun);
  const { game } = update.view;
  return { ...told, seq: update.seq, scene: game === null ? null : sceneOf(game) };
}

function withGap(chronicle: Chronicle, { seq, at }: TableEvent): Chronicle {
  const gap: Telling = {
    kind: "missed",
    seq: seq - 1,
    at,
    chair: null,
    seat: null,
    by: "house",
    opens: null,
  };
  return { ...chronicle, tellings: [...chronicle.tellings, gap], scene: null, standing: [], whole: false };
}

function tellOne(chronicle: Chronicle, event: TableEvent, update: Heard): Chronicle {
  const grown = { ...chronicle, seq: event.seq, stage: event.stage };
  const told = toldOf(event, update.view, chronicle.stage);
  if (event.type === "play") return withTurn(grown, event, told, update);
  if (event.type === "take_back") return withoutTurns(grown, told);
  return { ...grown, tellings: [...grown.tellings, plain(event, told)] };
}

function toldOf(event: TableEvent, view: Heard["view"], stage: Stage | null): Told {
  const chair = event.chair === null ? undefined : view.chairs[event.chair];
  const forPerson = chair?.sitter === "person" ? "stand_in" : "computer";
  const by: By = !event.house ? "person" : chair === undefined ? "house" : forPerson;
  const opens = event.stage === stage ? null : event.stage;
  return { seq: event.seq, at: event.at, chair: event.chair, seat: chair?.seat ?? null, by, opens };
}

function withTurn(chronicle: Chronicle, event: PlayEvent, told: Told, update: Heard): Chronicle {
  const { game, origin } = update.view;
  // Of a game that goes on from a record the beginning is not told.
  const fresh = chronicle.whole && chronicle.standing.length === 0 && game !== null && origin === null;
  const scene = chronicle.scene ?? (fresh ? startOf(game, update.events) : null);
  const telling = turnTelling(scene, event, told);
  const after = scene && told.seat !== null ? played(scene, told.seat, telling.turn, telling.refill) : null;
  return {
    ...chronicle,
    tellings: [...chronicle.tellings, telling],
    standing: [...chronicle.standing, { seq: event.seq, seat: told.seat, before: scene }],
    scene: after,
  };
}

function turnTelling(scene: Scene | null, event: PlayEvent, told: Told): TurnTelling {
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
    noble: nobleMove(scene, told.seat, turn.noble),
    boar: turn.boar && { from: turn.square, to: turn.boar === "x" ? null : turn.boar },
    points: { nobles, rewards, boar, total: nobles + rewards + boar },
    refill: event.refill === null ? null : asColumn(event.refill),
    draw: event.draw === undefined || event.draw === null ? event.draw : asCard(event.draw),
    undone: false,
  };
}

function nobleMove(scene: Scene | null, seat: number | null, to: Square | null): NobleMove | null {
  if (to === null) return null;
  const column = columnOf(to);
  const nobles = seat === null ? undefined : scene?.nobles[seat];
  return { column, from: nobles ? (nobles.get(column) ?? "terrace") : null, to };
}

/** The last turn of the one who takes it back, and all that followed it, are undone. */
function withoutTurns(chronicle: Chronicle, told: Told): Chronicle {
  const at = chronicle.standing.map(({ seat }) => seat).lastIndexOf(told.seat);
  const undone = at < 0 ? chronicle.standing : chronicle.standing.slice(at);
  const turns = undone.map(({ seq }) => seq);
  const marked = chronicle.tellings.map((telling) =>
    telling.kind === "turn" && turns.includes(telling.seq) ? { ...telling, undone: true } : telling,
  );
  return {
    ...chronicle,
    tellings: [...marked, { ...told, kind: "take_back", turns }],
    standing: chronicle.standing.slice(0, Math.max(at, 0)),
    scene: at < 0 ? null : (chronicle.standing[at]?.before ?? null),
  };
}

function plain(event: Exclude<TableEvent, { type: "play" }>, told: Told): Telling {
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

/** All but the turns that were taken back. */
export function standing(tellings: readonly Telling[]): readonly Telling[] {
  return tellings.filter((telling) => telling.kind !== "turn" || !telling.undone);
}

/** The turns that stand. */
export function turnsOf(tellings: readonly Telling[]): readonly TurnTelling[] {
  return tellings.filter((telling): telling is TurnTelling => telling.kind === "turn" && !telling.undone);
}

/**
 * What has happened since a seat's last turn that the person played, or since the game began; a turn that a stand-in
 * has played is among it. Spectators (null) get the last round.
 */
export function sinceMyLastTurn(tellings: readonly Telling[], seat: number | null): readonly Telling[] {
  const stands = standing(tellings);
  const turns = turnsOf(tellings);
  const mine =
    seat === null
      ? turns.slice(0, -1).filter((turn) => turn.seat === turns.at(-1)?.seat)
      : turns.filter((turn) => turn.seat === seat && turn.by === "person");
  const since = mine.at(-1)?.seq ?? stands.find((telling) => telling.opens === "playing")?.seq ?? -1;
  return stands.filter((telling) => telling.seq > since);
}
