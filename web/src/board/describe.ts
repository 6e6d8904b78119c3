/** Squares and cards in words, for labels and the screen reader. */
import type { SquareLook } from "../game/squareView";
import { LEAVES, type Turn } from "../game/notation";
import type { TurnPoints } from "../game/points";
import type { TurnTelling } from "../game/eventLog";
import type { Names } from "../i18n/editionNames.svelte";
import { count, say } from "../i18n/i18n.svelte";

/** `c4, Pavilion, free, +2 mark, here you can lay a gardener`. */
export function describeSquare(look: SquareLook, names: Names): string {
  const parts = [look.square, names.motif(look.column), say(`square.${look.ground}`)];
  if (look.ground !== "free" && !look.connected) parts.push(say("square.asleep"));
  if (look.mark === "g3") parts.push(say("square.mark_gardener", { mark: "+3" }));
  else if (look.mark !== null) parts.push(say("square.mark", { mark: look.mark.replace("-", "−") }));
  if (look.boar) parts.push(say("square.boar"));
  if (look.noble) parts.push(say("square.noble"));
  if (look.staged) parts.push(say("square.staged"));
  if (look.target !== null) {
    const points = look.target.kind === "stop" ? look.target.points : 0;
    parts.push(say(`square.target_${look.target.kind}`, { points }));
  }
  if (look.barred) parts.push(say("square.barred"));
  if (look.advised !== null) parts.push(say(`square.advised_${look.advised}`));
  return parts.join(", ");
}

/** `Rows 3 and 6`, `Pavilion`, `Free choice`. */
export function describeCard(card: string, names: Names): string {
  if (card === "*") return say("card.free");
  if (/^[2-6]{2}$/.test(card)) {
    const [low, high] = [Number(card[0]), Number(card[1])];
    return say("card.colour", { low, high, first: names.row(low), second: names.row(high) });
  }
  return say("card.motif", { motif: names.motif(card) });
}

/**
 * `Berta plays Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`; a stand-in is named as one, and what is not
 * `counted` has no points.
 */
export function describeTurn(
  name: string,
  { turn, motif, points, by }: Pick<TurnTelling, "turn" | "motif" | "points" | "by">,
  names: Names,
  counted = true,
): string {
  const who = by === "stand_in" ? say("tell.stand_in", { name }) : name;
  return `${say("tell.card", { name: who, card: describeCard(turn.card, names) })}${say("colon")}${deeds(turn, motif, counted ? points : null, names)}`;
}

/** A turn that nobody has played: `Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`. */
export function describePlan(turn: Turn, motif: string, points: TurnPoints, names: Names): string {
  return `${describeCard(turn.card, names)}${say("colon")}${deeds(turn, motif, points, names)}`;
}

/** The same of a turn that brings nobody knows what. */
export function describeDeed(turn: Turn, motif: string, names: Names): string {
  return `${describeCard(turn.card, names)}${say("colon")}${deeds(turn, motif, null, names)}`;
}

function deeds(turn: Turn, motif: string, points: TurnPoints | null, names: Names): string {
  const laid = { motif: names.motif(motif), square: turn.square };
  return [
    say(turn.gardener ? "tell.gardener_of" : "tell.structure", laid),
    ...(turn.boar === null
      ? []
      : [turn.boar === LEAVES ? say("tell.boar_leaves") : say("tell.boar", { square: turn.boar })]),
    ...(turn.noble === null ? [] : [say("tell.noble", { square: turn.noble })]),
    ...(points === null ? [] : [count("points", points.total)]),
  ].join(", ");
}
