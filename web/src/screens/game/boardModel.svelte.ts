/** What is seen of the gardens: how they stand while something moves, what is laid over the large one, what moves. */
import { untrack } from "svelte";

import type { Score } from "../../net/types";
import type { Place } from "../../app/tableSession.svelte";
import { connected, gardenOf, lightRun, reach, walk, type Garden } from "../../game/garden";
import type { Overlay } from "../../game/squareView";
import { GLIDE, LIGHT_STEP, stagedMovement, type Moment } from "../../game/animation";
import {
  asColumn,
  COLUMNS,
  columnOf,
  ownSquare,
  type Column,
  type Space,
  type Square,
} from "../../game/notation";
import type { Staging } from "../../game/staging";
import type { Stroll } from "../../game/walkPath";
import { cuesOf } from "../../game/sounds";
import type { Telling } from "../../game/eventLog";
import type { Flying } from "../../board/MovingPieces.svelte";
import type { Play } from "./turnComposer.svelte";
import { targetsOf } from "../../game/targets";

export class Sight {
  /** The space of the display, or the column of the noble, at which somebody points. */
  space = $state<Space | null>(null);
  noble = $state<Column | null>(null);
  /** Whose garden is the large one where somebody looks on. */
  watched = $state(0);
  private glide = $state.raw<Flying | null>(null);
  private before: Staging | null = null;

  constructor(
    private readonly place: Place,
    private readonly play: Play,
  ) {}

  /** Whose garden is the large one: one's own; who looks on can choose. */
  readonly seat = $derived.by(() => this.place.view?.you.seat ?? this.watched);

  /** By seats, as they stand at this moment. */
  readonly gardens = $derived.by<readonly Garden[]>(() =>
    (this.place.view?.game?.gardens ?? []).map(
      (garden, seat) => this.momentOf(seat)?.garden ?? gardenOf(garden),
    ),
  );

  /** By seats, as far as they are counted. */
  readonly scores = $derived.by<readonly Score[]>(() =>
    (this.place.view?.game?.scores ?? []).map((score, seat) => {
      const waits = this.momentOf(seat)?.scored === false && !this.place.replaying;
      return waits ? (this.place.scoresBefore[seat] ?? score) : score;
    }),
  );

  /** What has happened up to this moment: a turn that is still moving is told when its points are counted. */
  readonly told = $derived.by<readonly Telling[]>(() => {
    const { moment, replaying, chronicle } = this.place;
    const waits = moment !== null && !moment.scored && !replaying;
    return waits ? chronicle.tellings.filter(({ seq }) => seq < moment.turn.seq) : chronicle.tellings;
  });

  /** The large garden as it is, and as the staged turn would leave it. */
  readonly own = $derived.by(() => this.gardens[this.seat]!);
  readonly shown = $derived.by(() => this.play.staging?.preview ?? this.own);

  readonly overlay = $derived.by<Overlay>(() => {
    const { seat, own, shown, space, noble } = this;
    const { staging, advice } = this.play;
    const moment = this.momentOf(seat);
    const change = staging?.change;
    return {
      connected: staging === null && moment !== null ? moment.connected : connected(shown),
      targets: staging === null ? new Map() : targetsOf(staging, { space, noble }),
      staged: new Set(change ? [change.square, ...(change.noble ? [change.noble] : [])] : []),
      laid: change?.square ?? null,
      lit: staging === null ? this.lightOf(seat) : delayed(lightRun(own, shown), GLIDE, LIGHT_STEP),
      ...this.walkShown(),
      barred: this.barredStops(),
      pointed: this.pointedSquare(),
      walking: moment?.walking ?? null,
      changed: staging === null ? this.changedOf(seat) : new Set(),
      advice: advice?.squares ?? new Map(),
    };
  });

  /** What moves: of a turn that is shown, or of the one that is staged. */
  readonly moving = $derived.by<Flying | null>(() => {
    const { moment } = this.place;
    if (moment === null) return this.glide;
    const { movement, lasts, turn } = moment;
    return movement && { movement, lasts, seat: turn.seat };
  });

  /** Of that, what is seen moving. */
  readonly flying = $derived.by(() => (this.place.speed === "none" ? null : this.moving));

  /** What moves in a seat's garden now. */
  momentOf(seat: number): Moment | null {
    const { moment } = this.place;
    return moment?.turn.seat === seat ? moment : null;
  }

  /** A step of staging was taken: what it moves glides for a while. The answer ends it. */
  followStaging(): () => void {
    const { staging } = this.play;
    untrack(() => {
      const movement = stagedMovement(this.before, staging, this.place.view?.game?.display ?? []);
      this.before = staging;
      this.glide = movement && { movement, lasts: GLIDE, seat: this.seat };
    });
    const timer = setTimeout(() => (this.glide = null), GLIDE);
    return () => clearTimeout(timer);
  }

  /** What moves is heard. */
  sound(): void {
    const { moving } = this;
    if (moving !== null) this.place.app.loudspeaker.play(cuesOf(moving.movement, moving.lasts));
  }

  /** When the light of a turn that is shown reaches each square of a seat's garden. */
  lightOf(seat: number): ReadonlyMap<Square, number> {
    const moment = this.momentOf(seat);
    if (moment?.movement?.kind !== "light") return new Map();
    const { steps } = moment.movement;
    return delayed(steps, 0, moment.lasts / (1 + Math.max(...steps.values())));
  }

  /** The squares that the last turn has changed, as soon as they have. */
  changedOf(seat: number): ReadonlySet<Square> {
    const { lastTurn } = this.place;
    const moves = this.momentOf(seat)?.movement != null;
    return lastTurn?.seat === seat && !moves ? lastTurn.squares : new Set();
  }

  /** The walk of the staged noble, else of the one pointed at, to its farthest stop. */
  private walkShown(): Stroll {
    const stop = this.play.staging?.change?.noble ?? this.farthestStop();
    if (stop === null) return { from: null, walk: [] };
    const column = columnOf(stop);
    return { from: this.own.nobles.get(column) ?? null, walk: walk(this.laid(), column, stop) ?? [] };
  }

  /** The garden with the staged tile, and all nobles where they stand now. */
  private laid(): Garden {
    return { ...this.shown, nobles: this.own.nobles };
  }

  private farthestStop(): Square | null {
    const stops = this.noble === null ? [] : reach(this.laid(), this.noble);
    return stops.findLast((square) => !this.shown.gardeners.has(square)) ?? null;
  }

  /** Where nobles could stop, if no gardener was at work there. */
  private barredStops(): ReadonlySet<Square> {
    const { noble, shown } = this;
    if (this.play.staging?.need !== "noble" && noble === null) return new Set();
    const columns = COLUMNS.filter((column) => noble === null || column === noble);
    const reached = columns.flatMap((column) => reach(this.laid(), column));
    return new Set(reached.filter((square) => shown.gardeners.has(square)));
  }

  /** Where the tile belongs at which somebody points. */
  private pointedSquare(): Square | null {
    const { space } = this;
    const motif = space === null ? null : this.place.view?.game?.display[space];
    return space !== null && motif ? ownSquare(asColumn(motif), space) : null;
  }
}

function delayed(
  steps: ReadonlyMap<Square, number>,
  first: number,
  each: number,
): ReadonlyMap<Square, number> {
  return new Map([...steps].map(([square, step]) => [square, first + step * each]));
}
