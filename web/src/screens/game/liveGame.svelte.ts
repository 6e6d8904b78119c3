/** A game at which the viewer plays, or looks on: the position, the staged turn, and what is pointed at. */
import { untrack } from "svelte";

import type { GameSession } from "../../app/gameSession.svelte";
import type { TableSession } from "../../app/tableSession.svelte";
import type { Flying } from "../../board/MovingPieces.svelte";
import {
  GLIDE_DURATION,
  LIGHT_STEP,
  stagedMovement,
  type AnimatedTurn,
  type AnimationStep,
} from "../../game/animation";
import { dragPieces } from "../../board/dragPieces";
import { dropTargets, type Piece } from "../../game/dragging";
import type { LogEntry } from "../../game/eventLog";
import { completed, connected, lightRun, reach, walk, type Garden } from "../../game/garden";
import {
  asColumn,
  COLUMNS,
  columnOf,
  ownSquare,
  type Column,
  type Space,
  type Square,
} from "../../game/notation";
import type { SeatedPlayer } from "../../game/seats";
import { cuesOf } from "../../game/sounds";
import type { Overlay } from "../../game/squareView";
import type { Staging } from "../../game/staging";
import { targetsOf } from "../../game/targets";
import type { Walk } from "../../game/walkPath";
import type { EditionNames } from "../../i18n/editionNames.svelte";
import type { GameView, Score } from "../../net/types";
import { delayed, GameModel } from "./gameModel.svelte";
import { TurnComposer } from "./turnComposer.svelte";

export class LiveGame extends GameModel {
  readonly composer: TurnComposer;
  /** The space of the display, or the column of the noble, that is pointed at. */
  space = $state<Space | null>(null);
  noble = $state<Column | null>(null);
  /** The piece that is dragged. */
  held = $state.raw<Piece | null>(null);
  private dropped = false;
  /** The seat whose garden a spectator sees large. */
  watchedSeat = $state(0);
  private glide = $state.raw<Flying | null>(null);
  private before: Staging | null = null;

  constructor(
    readonly session: GameSession,
    /** Null in a lesson: there is no clock, menu, or past. */
    readonly table: TableSession | null,
  ) {
    super();
    this.composer = new TurnComposer(session);
  }

  get game(): GameView {
    return this.session.view!.game!;
  }

  get players(): readonly SeatedPlayer[] {
    return this.session.chairsBySeat;
  }

  get names(): EditionNames {
    return this.session.names;
  }

  get step(): AnimationStep | null {
    return this.session.step;
  }

  get lastTurn(): AnimatedTurn | null {
    return this.session.lastTurn;
  }

  get still(): boolean {
    return this.session.speed === "none";
  }

  get watches(): boolean {
    return this.session.view?.you.seat == null;
  }

  readonly seat = $derived.by(() => this.session.view?.you.seat ?? this.watchedSeat);

  /** Points of a moving turn are added when they are animated. */
  readonly scores = $derived.by<readonly Score[]>(() =>
    this.game.scores.map((score, seat) => {
      const waits = this.stepOf(seat)?.scored === false && !this.session.replaying;
      return waits ? (this.session.scoresBefore[seat] ?? score) : score;
    }),
  );

  /** A turn that still moves is logged when its points are counted. */
  readonly entries = $derived.by<readonly LogEntry[]>(() => {
    const { step, replaying, log } = this.session;
    const waits = step !== null && !step.scored && !replaying;
    return waits ? log.entries.filter(({ seq }) => seq < step.turn.seq) : log.entries;
  });

  /** The turn of another player that is being shown. The viewer's own comes after it. */
  readonly othersTurn = $derived.by<AnimatedTurn | null>(() => {
    const { step, seat } = this;
    return step !== null && step.turn.seat !== seat ? step.turn : null;
  });

  /** The staged turn as drawn: while another player's is shown, only if it has begun. */
  readonly staged = $derived.by<Staging | null>(() => {
    const { staging } = this.composer;
    return this.othersTurn === null || staging?.begun ? staging : null;
  });

  readonly hintOverlay = $derived.by(() => (this.staged === null ? null : this.composer.hintOverlay));

  /** As the staged turn would leave it. */
  readonly preview = $derived.by(() => this.composer.staging?.preview ?? this.gardens[this.seat]!);

  override get garden(): Garden {
    return this.preview;
  }

  readonly stagingOverlay = $derived.by<Overlay>(() => {
    const { seat, preview, space, noble, held, hintOverlay, staged: staging } = this;
    const step = this.stepOf(seat);
    const change = staging?.change;
    return {
      connected: staging === null && step !== null ? step.connected : connected(preview),
      targets:
        staging === null
          ? new Map()
          : held
            ? dropTargets(staging, held)
            : targetsOf(staging, { space, noble }),
      staged: new Set(change ? [change.square, ...(change.noble ? [change.noble] : [])] : []),
      laid: change?.square ?? null,
      lit:
        staging === null
          ? this.lightOf(seat)
          : delayed(lightRun(this.gardens[seat]!, preview), GLIDE_DURATION, LIGHT_STEP),
      ...this.walkShown(),
      blocked: this.blockedStops(),
      pointed: this.pointedSquare(),
      walking: step?.walking ?? null,
      changed: staging === null ? this.changedOf(seat) : new Set(),
      // The viewer's own lines bloom while the turn is staged, since the next turn may follow at once.
      blooming: staging === null ? (this.watches ? this.bloomingOf(seat) : new Set()) : this.stagedBloom(),
      hint: hintOverlay?.squares ?? new Map(),
    };
  });

  override get overlay(): Overlay {
    return this.stagingOverlay;
  }

  override get moving(): Flying | null {
    return this.step === null ? this.glide : super.moving;
  }

  override get taking(): AnimatedTurn | null {
    return this.session.replaying ? null : super.taking;
  }

  /** Animates the last step of staging; returns a function that ends it. */
  followStaging(): () => void {
    const { staging } = this.composer;
    untrack(() => {
      const movement = this.dropped ? null : stagedMovement(this.before, staging, this.game.display);
      this.before = staging;
      this.dropped = false;
      this.glide = movement && { movement, duration: GLIDE_DURATION, seat: this.seat };
    });
    const timer = setTimeout(() => (this.glide = null), GLIDE_DURATION);
    return () => clearTimeout(timer);
  }

  /** What can be dragged, and what happens then; it starts to listen and returns a function that stops. */
  followDragging(): () => void {
    return dragPieces({
      hold: (piece) => (this.held = this.composer.staging === null ? null : piece),
      drop: (piece, square) => {
        const before = this.composer.staging;
        this.composer.drop(piece, square);
        this.dropped = this.composer.staging !== before; // it is already where it belongs
      },
      nobleAt: (column, square) => (this.garden.nobles.get(column as Column) ?? null) === square,
    });
  }

  playSounds(): void {
    const { moving } = this;
    if (moving !== null) this.session.app.audio.play(cuesOf(moving.movement, moving.duration));
  }

  private stagedBloom(): ReadonlySet<Square> {
    return this.still ? new Set() : completed(this.gardens[this.seat]!, this.preview);
  }

  /** The walk of the staged noble, or of the one pointed at to its farthest stop. */
  private walkShown(): Walk {
    const stop = this.composer.staging?.change?.noble ?? this.farthestStop();
    if (stop === null) return { from: null, walk: [] };
    const column = columnOf(stop);
    const from = this.gardens[this.seat]!.nobles.get(column) ?? null;
    return { from, walk: walk(this.laid(), column, stop) ?? [] };
  }

  /** The garden with the staged tile, but all nobles where they stand now. */
  private laid(): Garden {
    return { ...this.preview, nobles: this.gardens[this.seat]!.nobles };
  }

  private farthestStop(): Square | null {
    const stops = this.noble === null ? [] : reach(this.laid(), this.noble);
    return stops.findLast((square) => !this.preview.gardeners.has(square)) ?? null;
  }

  /** Squares where a noble could stop if no gardener stood there (R20). */
  private blockedStops(): ReadonlySet<Square> {
    const { noble, preview } = this;
    if (this.composer.staging?.need !== "noble" && noble === null) return new Set();
    const columns = COLUMNS.filter((column) => noble === null || column === noble);
    const reached = columns.flatMap((column) => reach(this.laid(), column));
    return new Set(reached.filter((square) => preview.gardeners.has(square)));
  }

  /** Where the tile belongs that is pointed at. */
  private pointedSquare(): Square | null {
    const { space } = this;
    const motif = space === null ? null : this.game.display[space];
    return space !== null && motif ? ownSquare(asColumn(motif), space) : null;
  }
}
