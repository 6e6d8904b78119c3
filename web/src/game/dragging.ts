/**
 * Dragging a tile to its square or a noble to its stop, without any DOM.
 *
 *     idle ──press──▶ pressed ──moved far (mouse), held still (touch)──▶ dragging ──release──▶ drop
 *       ▲                └── released, or moved far (touch: the page scrolls) ──▶ idle      └─cancel─▶ idle
 */
import { columnOf, type Column, type Space, type Square } from "./notation";
import type { Target } from "./squareView";
import type { Staging, Step } from "./staging";
import { targetsOf } from "./targets";

export type Piece =
  { readonly kind: "tile"; readonly space: Space } | { readonly kind: "noble"; readonly column: Column };

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DragHandlers {
  start(piece: Piece, at: Point): void;
  move(at: Point): void;
  drop(piece: Piece, at: Point): void;
  /** The drag has ended, with or without a drop. */
  end(): void;
}

/** Pixels that a mouse moves before a drag begins, and that a finger may move before it scrolls. */
export const DRAG_DISTANCE = 6;
/** Milliseconds for which a finger holds a piece before a drag begins. A shorter touch scrolls or clicks. */
export const HOLD_DURATION = 220;

export class Dragging {
  private pressed: { readonly piece: Piece; readonly at: Point; readonly touch: boolean } | null = null;
  private dragging = false;
  private cancelTimer: () => void = () => {};

  constructor(
    private readonly handlers: DragHandlers,
    /** Runs `act` later; the returned function cancels it. */
    private readonly schedule: (milliseconds: number, act: () => void) => () => void,
  ) {}

  /** Whether a piece follows the pointer. */
  get active(): boolean {
    return this.dragging;
  }

  press(piece: Piece, at: Point, touch: boolean): void {
    this.cancel();
    this.pressed = { piece, at, touch };
    if (touch) this.cancelTimer = this.schedule(HOLD_DURATION, () => this.begin(at));
  }

  move(at: Point): void {
    const { pressed } = this;
    if (pressed === null) return;
    if (this.dragging) return this.handlers.move(at);
    if (Math.hypot(at.x - pressed.at.x, at.y - pressed.at.y) < DRAG_DISTANCE) return;
    if (pressed.touch) this.cancel();
    else this.begin(at);
  }

  release(at: Point): void {
    const { pressed, dragging } = this;
    this.pressed = null;
    if (dragging && pressed !== null) this.handlers.drop(pressed.piece, at);
    this.cancel();
  }

  cancel(): void {
    this.cancelTimer();
    this.pressed = null;
    if (!this.dragging) return;
    this.dragging = false;
    this.handlers.end();
  }

  private begin(at: Point): void {
    if (this.pressed === null) return;
    this.dragging = true;
    this.handlers.start(this.pressed.piece, at);
  }
}

/** The squares where a piece can be dropped. */
export function dropTargets(staging: Staging, piece: Piece): ReadonlyMap<Square, Target> {
  if (piece.kind === "noble")
    return staging.tile === null || staging.need === "boar"
      ? new Map()
      : targetsOf(staging, { noble: piece.column });
  const space = { kind: "space", value: piece.space } as const;
  return staging.can(space) ? targetsOf(staging.rewound("space"), { space: piece.space }) : new Map();
}

/** The steps that a drop takes; all but the last are legal, and the last one may not be. */
export function dropSteps(staging: Staging, piece: Piece, square: Square): readonly Step[] {
  if (piece.kind === "noble") return [{ kind: "noble", value: square }];
  const space: Step = { kind: "space", value: piece.space };
  return staging.can(space) ? [space, { kind: "square", value: square }] : [space];
}

/** Whether a noble is dropped outside its column, to which it must return. */
export function isForeignColumn(piece: Piece, square: Square): boolean {
  return piece.kind === "noble" && columnOf(square) !== piece.column;
}
