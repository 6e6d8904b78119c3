/** The viewer's own turn: staged, explained and confirmed. It survives a reload and a lost connection. */
import type { Hint } from "../../net/types";
import type { GameSession } from "../../app/gameSession.svelte";
import { dropSteps, isForeignColumn, type Piece } from "../../game/dragging";
import { candidatesOf, demonstrationOf, hintOverlayOf, type HintOverlay } from "../../game/hintOverlay";
import { parseTurn, squareAt, squareOf, type Column, type Square, type Turn } from "../../game/notation";
import { remarks, whyNot, whyNotTurn, type Details, type Reason } from "../../game/explain";
import { NO_NOBLE, Staging, type Step, type StepKind, type TurnView } from "../../game/staging";
import { formatGain } from "../../i18n/formatPoints";
import { capitalize, t, type MessageKey } from "../../i18n/i18n.svelte";
import { describeCard } from "../../board/describe";

export class TurnComposer {
  staging = $state.raw<Staging | null>(null);
  sending = $state(false);
  hint = $state.raw<Hint | null>(null);
  hinting = $state(false);
  /** The selected turn of the hint. */
  candidate = $state(0);
  readonly candidates = $derived(
    this.hint === null || this.staging === null ? [] : candidatesOf(this.hint, this.staging),
  );
  /** A turn that the tutorial suggests. */
  demonstrated = $state.raw<Turn | null>(null);
  /** The hint, or the tutorial's suggestion, as drawn on the board. */
  readonly hintOverlay = $derived.by<HintOverlay | null>(() => {
    const [chosen, { hint, staging, demonstrated: shown }] = [this.candidates[this.candidate], this];
    if (hint === null && shown && staging) return demonstrationOf(shown, staging);
    if (chosen === undefined || hint === null || staging === null) return null;
    return hintOverlayOf(chosen, staging, this.candidate === 0 ? hint.reasons : []);
  });

  /** The last message about discarded steps. */
  private dropped: string | null = null;

  constructor(readonly session: GameSession) {}

  /** Puts the staged turn onto a new view, if it still fits. */
  rebase(view: TurnView): void {
    if (this.session.standInPlays) return this.pause();
    const saved =
      this.staging?.toJSON() ?? this.session.app.settings.staged(view.table, view.you.seat ?? 0).value;
    const { staging } = Staging.from(saved, view);
    this.staging = staging;
    if (staging === null) this.hint = null;
  }

  /** A stand-in plays. The saved turn is kept for the player's return. */
  private pause(): void {
    this.staging = this.hint = null;
  }

  /** Take a step, or explain why it is illegal. */
  choose(step: Step): void {
    const { staging } = this;
    if (!staging?.can(step)) return this.explain(step);
    const [dropped] = staging.dropped(step);
    const later = staging.choose(step);
    this.stage(later);
    if (dropped !== undefined) this.explainDropped(staging, later, dropped);
  }

  /** Say what was discarded because it no longer fits, and why. In the tutorial, the guide says what to do instead. */
  private explainDropped(before: Staging, now: Staging, kind: StepKind): void {
    const { app, view } = this.session;
    const step = { kind, value: before.value(kind) } as Step;
    const reason = view && whyNot(view, now, step);
    const text = t(`turn.dropped_${kind}`);
    this.dropped = reason && !this.demonstrated ? `${text} ${capitalize(this.sentence(reason))}.` : text;
    app.showMessage(this.dropped, reason?.rule ?? null);
  }

  explain(step: Step, staging: Staging | null = this.staging, noble?: Column): void {
    const view = this.session.view;
    const reason = view && whyNot(view, staging, step, noble);
    if (reason) this.session.app.showError({ rule: reason.rule, sentence: this.sentence(reason) });
  }

  readonly undo = (): void => {
    if (this.staging?.begun && !this.sending) this.stage(this.staging.undo());
  };

  /** Choose a square for what it means now: the tile, the boar, or a noble's stop. */
  chooseSquare(square: Square): void {
    const { staging } = this;
    const tile = { kind: "square", value: square } as const;
    if (staging?.need === "boar") this.choose({ kind: "boar", value: square });
    else if (staging?.tile === null && staging.garden.built.has(square) && !staging.can(tile))
      this.choose({ kind: "noble", value: square }); // a noble was meant, but it moves after the tile
    else if (staging === null || staging.tile === null) this.choose(tile);
    else if (!staging.stops.has(square) && squareOf(staging.tile) !== square && staging.can(tile))
      this.choose(tile);
    else this.choose({ kind: "noble", value: square });
  }

  /** Drop a dragged tile or noble on a square, or explain why it cannot lie or stand there. */
  drop(piece: Piece, square: Square): void {
    const { staging } = this;
    if (staging === null) return this.explain({ kind: "square", value: square });
    const steps = dropSteps(staging, piece, square);
    const last = steps.at(-1)!;
    const held = steps.slice(0, -1).reduce((held, step) => held.choose(step), staging);
    if (isForeignColumn(piece, square) || !held.can(last))
      return this.explain(last, held, piece.kind === "noble" ? piece.column : undefined);
    for (const step of steps) this.choose(step);
  }

  /** Nobles move after the tile, by choosing their stop; before that, explain so. */
  chooseDoor(column: Column): void {
    if (!this.staging?.tile) this.choose({ kind: "noble", value: squareAt(column, 1) });
  }

  leaveNobles(): void {
    if (this.staging?.can({ kind: "noble", value: NO_NOBLE }))
      this.choose({ kind: "noble", value: NO_NOBLE });
  }

  /** Stage a typed turn, or explain why it is illegal. */
  stageTyped(text: string): boolean {
    const { view, app } = this.session;
    const reason = view && whyNotTurn(view, text.trim());
    if (reason) app.showError({ rule: reason.rule, sentence: this.sentence(reason) });
    return !reason && this.stageText(text);
  }

  readonly stageHint = (): void => {
    const chosen = this.candidates[this.candidate];
    if (chosen !== undefined && this.stageText(chosen.text)) this.hint = null;
  };

  private stageText(text: string): boolean {
    const turn = parseTurn(text.trim());
    const staged = turn && this.staging?.stage(turn);
    if (staged) this.stage(staged);
    return Boolean(staged);
  }

  /** Remarks about the turn as staged so far. */
  get remarks(): readonly { readonly rule: string; readonly sentence: string }[] {
    const { view } = this.session;
    if (view === null || this.staging === null) return [];
    return remarks(view, this.staging).map(({ code, rule, details }) => ({
      rule,
      sentence: capitalize(t(`remark.${code}` as MessageKey, this.named(details))),
    }));
  }

  readonly confirm = async (): Promise<void> => {
    const turn = this.staging?.turn;
    if (!turn || this.sending) return;
    this.sending = true;
    const played = await this.session.playTurn(turn);
    this.sending = false;
    if (!played) return;
    this.save((this.staging = null));
    if (this.session.view !== null) this.rebase(this.session.view); // it may already be the player's turn again
  };

  readonly askHint = async (): Promise<void> => {
    const { session } = this;
    if (this.hinting || !session.hintsAllowed || !session.view?.options) return;
    this.hinting = true;
    await session.app.attempt(async () => {
      this.hint = await session.requestHint();
      this.candidate = 0;
    });
    this.hinting = false;
  };

  readonly closeHint = (): void => {
    this.hint = null;
  };

  private stage(staging: Staging): void {
    this.staging = staging;
    const { app } = this.session;
    if (app.toast?.bad || app.toast?.text === this.dropped) app.message = null; // the player has found a legal step
    this.save(staging);
    if (app.confirmsItself && staging.complete && !staging.forced("noble")) void this.confirm();
  }

  private sentence(reason: Reason): string {
    return t(`reason.${reason.code}` as MessageKey, this.named(reason.details));
  }

  /** Replaces cards by their names, and formats points. */
  private named(details: Details): Details {
    const { card, points: number } = details;
    return {
      ...details,
      ...(card === undefined ? {} : { card: describeCard(`${card}`, this.session.names) }),
      ...(typeof number === "number" ? { points: formatGain(number) } : {}),
    };
  }

  private save(staging: Staging | null): void {
    const { app, table, view } = this.session;
    const saved = app.settings.staged(table, view?.you.seat ?? 0);
    if (staging === null) saved.remove();
    else saved.save(staging);
  }
}
