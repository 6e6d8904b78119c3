/** What is seen of the gardens: how they stand while something moves, what is laid over the large one, what moves. */
import { untrack } from "svelte";

import type { Score } from "../../net/types";
import type { TableSession } from "../../app/tableSession.svelte";
import { connected, gardenOf, lightRun, reach, walk, type Garden } from "../../game/garden";
import type { Overlay } from "../../game/squareView";
import { GLIDE_DURATION, LIGHT_STEP, stagedMovement, type AnimationStep } from "../../game/animation";
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
import type { Walk } from "../../game/walkPath";
import { cuesOf } from "../../game/sounds";
import type { LogEntry } from "../../game/eventLog";
import type { Flying } from "../../board/MovingPieces.svelte";
import type { TurnComposer } from "./turnComposer.svelte";
import { targetsOf } from "../../game/targets";

export class BoardModel {
  /** The space of the display, or the column of the noble, at which somebody points. */
  space = $state<Space | null>(null);
  noble = $state<Column | null>(null);
  /** Whose garden is the large one where somebody looks on. */
  watchedSeat = $state(0);
  private glide = $state.raw<Flying | null>(null);
  private before: Staging | null = null;

  constructor(
    private readonly session: TableSession,
    private readonly composer: TurnComposer,
  ) {}

  /** Whose garden is the large one: one's own; who looks on can choose. */
  readonly seat = $derived.by(() => this.session.view?.you.seat ?? this.watchedSeat);

  /** By seats, as they stand at this moment. */
  readonly gardens = $derived.by<readonly Garden[]>(() =>
    (this.session.view?.game?.gardens ?? []).map(
      (garden, seat) => this.stepOf(seat)?.garden ?? gardenOf(garden),
    ),
  );

  /** By seats, as far as they are counted. */
  readonly scores = $derived.by<readonly Score[]>(() =>
    (this.session.view?.game?.scores ?? []).map((score, seat) => {
      const waits = this.stepOf(seat)?.scored === false && !this.session.replaying;
      return waits ? (this.session.scoresBefore[seat] ?? score) : score;
    }),
  );

  /** What has happened up to this moment: a turn that is still moving is told when its points are counted. */
  readonly visibleLog = $derived.by<readonly LogEntry[]>(() => {
    const { step, replaying, log } = this.session;
    const waits = step !== null && !step.scored && !replaying;
    return waits ? log.entries.filter(({ seq }) => seq < step.turn.seq) : log.entries;
  });

  /** The large garden as it is, and as the staged turn would leave it. */
  readonly ownGarden = $derived.by(() => this.gardens[this.seat]!);
  readonly preview = $derived.by(() => this.composer.staging?.preview ?? this.ownGarden);

  readonly overlay = $derived.by<Overlay>(() => {
    const { seat, ownGarden, preview, space, noble } = this;
    const { staging, hintOverlay } = this.composer;
    const step = this.stepOf(seat);
    const change = staging?.change;
    return {
      connected: staging === null && step !== null ? step.connected : connected(preview),
      targets: staging === null ? new Map() : targetsOf(staging, { space, noble }),
      staged: new Set(change ? [change.square, ...(change.noble ? [change.noble] : [])] : []),
      laid: change?.square ?? null,
      lit:
        staging === null
          ? this.lightOf(seat)
          : delayed(lightRun(ownGarden, preview), GLIDE_DURATION, LIGHT_STEP),
      ...this.walkShown(),
      barred: this.barredStops(),
      pointed: this.pointedSquare(),
      walking: step?.walking ?? null,
      changed: staging === null ? this.changedOf(seat) : new Set(),
      hint: hintOverlay?.squares ?? new Map(),
    };
  });

  /** What moves: of a turn that is shown, or of the one that is staged. */
  readonly moving = $derived.by<Flying | null>(() => {
    const { step } = this.session;
    if (step === null) return this.glide;
    const { movement, duration, turn } = step;
    return movement && { movement, duration, seat: turn.seat };
  });

  /** Of that, what is seen moving. */
  readonly flying = $derived.by(() => (this.session.speed === "none" ? null : this.moving));

  /** What moves in a seat's garden now. */
  stepOf(seat: number): AnimationStep | null {
    const { step } = this.session;
    return step?.turn.seat === seat ? step : null;
  }

  /** A step of staging was taken: what it moves glides for a while. The answer ends it. */
  followStaging(): () => void {
    const { staging } = this.composer;
    untrack(() => {
      const movement = stagedMovement(this.before, staging, this.session.view?.game?.display ?? []);
      this.before = staging;
      this.glide = movement && { movement, duration: GLIDE_DURATION, seat: this.seat };
    });
    const timer = setTimeout(() => (this.glide = null), GLIDE_DURATION);
    return () => clearTimeout(timer);
  }

  /** What moves is heard. */
  playSounds(): void {
    const { moving } = this;
    if (moving !== null) this.session.app.audio.play(cuesOf(moving.movement, moving.duration));
  }

  /** When the light of a turn that is shown reaches each square of a seat's garden. */
  lightOf(seat: number): ReadonlyMap<Square, number> {
    const step = this.stepOf(seat);
    if (step?.movement?.kind !== "light") return new Map();
    const { steps } = step.movement;
    return delayed(steps, 0, step.duration / (1 + Math.max(...steps.values())));
  }

  /** The squares that the last turn has changed, as soon as they have. */
  changedOf(seat: number): ReadonlySet<Square> {
    const { lastTurn } = this.session;
    const moves = this.stepOf(seat)?.movement != null;
    return lastTurn?.seat === seat && !moves ? lastTurn.squares : new Set();
  }

  /** The walk of the staged noble, else of the one pointed at, to its farthest stop. */
  private walkShown(): Walk {
    const stop = this.composer.staging?.change?.noble ?? this.farthestStop();
    if (stop === null) return { from: null, walk: [] };
    const column = columnOf(stop);
    return { from: this.ownGarden.nobles.get(column) ?? null, walk: walk(this.laid(), column, stop) ?? [] };
  }

  /** The garden with the staged tile, and all nobles where they stand now. */
  private laid(): Garden {
    return { ...this.preview, nobles: this.ownGarden.nobles };
  }

  private farthestStop(): Square | null {
    const stops = this.noble === null ? [] : reach(this.laid(), this.noble);
    return stops.findLast((square) => !this.preview.gardeners.has(square)) ?? null;
  }

  /** Where nobles could stop, if no gardener was at work there. */
  private barredStops(): ReadonlySet<Square> {
    const { noble, preview } = this;
    if (this.composer.staging?.need !== "noble" && noble === null) return new Set();
    const columns = COLUMNS.filter((column) => noble === null || column === noble);
    const reached = columns.flatMap((column) => reach(this.laid(), column));
    return new Set(reached.filter((square) => preview.gardeners.has(square)));
  }

  /** Where the tile belongs at which somebody points. */
  private pointedSquare(): Square | null {
    const { space } = this;
    const motif = space === null ? null : this.session.view?.game?.display[space];
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
