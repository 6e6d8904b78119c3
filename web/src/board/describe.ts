/** Squares, cards and turns in words, for labels and screen readers. */
import type { SquareView } from "../game/squareView";
import { LEAVES, type Turn } from "../game/notation";
import type { TurnPoints } from "../game/points";
import type { TurnEntry } from "../game/eventLog";
import type { EditionNames } from "../i18n/editionNames.svelte";
import { tn, t } from "../i18n/i18n.svelte";

/** `c4, Pavilion, free, +2 mark, here you can lay a gardener`. */
export function describeSquare(view: SquareView, names: EditionNames): string {
  const parts = [view.square, names.motif(view.column), t(`square.${view.ground}`)];
  if (view.ground !== "free" && !view.connected) parts.push(t("square.not_connected"));
  if (view.mark === "g3") parts.push(t("square.mark_gardener", { mark: "+3" }));
  else if (view.mark !== null) parts.push(t("square.mark", { mark: view.mark.replace("-", "−") }));
  if (view.boar) parts.push(t("square.boar"));
  if (view.noble) parts.push(t("square.noble"));
  if (view.staged) parts.push(t("square.staged"));
  if (view.target !== null) {
    const points = view.target.kind === "stop" ? view.target.points : 0;
    parts.push(t(`square.target_${view.target.kind}`, { points: tn("points", points) }));
  }
  if (view.blocked) parts.push(t("square.gardener_blocks"));
  if (view.hinted !== null) parts.push(t(`square.hint_${view.hinted}`));
  return parts.join(", ");
}

/** `Rows 3 and 6`, `Pavilion`, `Free choice`. */
export function describeCard(card: string, names: EditionNames): string {
  if (card === "*") return t("card.free");
  if (/^[2-6]{2}$/.test(card)) {
    const [low, high] = [Number(card[0]), Number(card[1])];
    return t("card.colour", { low, high, first: names.row(low), second: names.row(high) });
  }
  return names.motif(card);
}

/** `Berta plays Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`; without points unless `counted`. */
export function describeTurn(
  name: string,
  { turn, motif, points, by }: Pick<TurnEntry, "turn" | "motif" | "points" | "by">,
  names: EditionNames,
  counted = true,
): string {
  const who = by === "stand_in" ? t("turn_text.stand_in", { name }) : name;
  return `${t("turn_text.card", { name: who, card: describeCard(turn.card, names) })}${t("colon")}${describeActions(turn, motif, counted ? points : null, names)}`;
}

/** A turn that was not played: `Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`. */
export function describePlannedTurn(
  turn: Turn,
  motif: string,
  points: TurnPoints | null,
  names: EditionNames,
): string {
  return `${describeCard(turn.card, names)}${t("colon")}${describeActions(turn, motif, points, names)}`;
}

function describeActions(turn: Turn, motif: string, points: TurnPoints | null, names: EditionNames): string {
  const laid = { motif: names.motif(motif), square: turn.square };
  return [
    t(turn.gardener ? "turn_text.gardener_of" : "turn_text.structure", laid),
    ...(turn.boar === null
      ? []
      : [turn.boar === LEAVES ? t("turn_text.boar_leaves") : t("turn_text.boar", { square: turn.boar })]),
    ...(turn.noble === null ? [] : [t("turn_text.noble", { square: turn.noble })]),
    ...(points === null ? [] : [tn("points", points.total)]),
  ].join(", ");
}
