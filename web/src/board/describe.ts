/** Squares and cards in words, for labels and the screen reader. */
import type { SquareView } from "../game/squareView";
import { LEAVES, type Turn } from "../game/notation";
import type { TurnPoints } from "../game/points";
import type { TurnEntry } from "../game/eventLog";
import type { EditionNames } from "../i18n/editionNames.svelte";
import { tn, t } from "../i18n/i18n.svelte";

/** `c4, Pavilion, free, +2 mark, here you can lay a gardener`. */
export function describeSquare(view: SquareView, names: EditionNames): string {
  const parts = [view.square, names.motif(view.column), t(`square.${view.ground}`)];
  if (view.ground !== "free" && !view.connected) parts.push(t("square.asleep"));
  if (view.mark === "g3") parts.push(t("square.mark_gardener", { mark: "+3" }));
  else if (view.mark !== null) parts.push(t("square.mark", { mark: view.mark.replace("-", "−") }));
  if (view.boar) parts.push(t("square.boar"));
  if (view.noble) parts.push(t("square.noble"));
  if (view.staged) parts.push(t("square.staged"));
  if (view.target !== null) {
    const points = view.target.kind === "stop" ? view.target.points : 0;
    parts.push(t(`square.target_${view.target.kind}`, { points }));
  }
  if (view.barred) parts.push(t("square.barred"));
  if (view.hinted !== null) parts.push(t(`square.advised_${view.hinted}`));
  return parts.join(", ");
}

/** `Rows 3 and 6`, `Pavilion`, `Free choice`. */
export function describeCard(card: string, names: EditionNames): string {
  if (card === "*") return t("card.free");
  if (/^[2-6]{2}$/.test(card)) {
    const [low, high] = [Number(card[0]), Number(card[1])];
    return t("card.colour", { low, high, first: names.row(low), second: names.row(high) });
  }
  return t("card.motif", { motif: names.motif(card) });
}

/**
 * `Berta plays Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`; a stand-in is named as one, and what is not
 * `counted` has no points.
 */
export function describeTurn(
  name: string,
  { turn, motif, points, by }: Pick<TurnEntry, "turn" | "motif" | "points" | "by">,
  names: EditionNames,
  counted = true,
): string {
  const who = by === "stand_in" ? t("tell.stand_in", { name }) : name;
  return `${t("tell.card", { name: who, card: describeCard(turn.card, names) })}${t("colon")}${deeds(turn, motif, counted ? points : null, names)}`;
}

/** A turn that was not played: `Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`. */
export function describePlannedTurn(
  turn: Turn,
  motif: string,
  points: TurnPoints | null,
  names: EditionNames,
): string {
  return `${describeCard(turn.card, names)}${t("colon")}${deeds(turn, motif, points, names)}`;
}

function deeds(turn: Turn, motif: string, points: TurnPoints | null, names: EditionNames): string {
  const laid = { motif: names.motif(motif), square: turn.square };
  return [
    t(turn.gardener ? "tell.gardener_of" : "tell.structure", laid),
    ...(turn.boar === null
      ? []
      : [turn.boar === LEAVES ? t("tell.boar_leaves") : t("tell.boar", { square: turn.boar })]),
    ...(turn.noble === null ? [] : [t("tell.noble", { square: turn.noble })]),
    ...(points === null ? [] : [tn("points", points.total)]),
  ].join(", ");
}
