/** Squares and cards in words, for labels and the screen reader. */
import type { SquareLook } from "../state/looks";
import type { TurnTelling } from "../state/tellings";
import type { Names } from "../words/names.svelte";
import { count, say } from "../words/words.svelte";

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

/** `Berta plays Rows 3 and 6: Pavilion on c3, noble to c3, 3 points`. */
export function describeTurn(name: string, telling: TurnTelling, names: Names): string {
  const { turn, motif, boar, points } = telling;
  const laid = { motif: names.motif(motif), square: turn.square };
  const parts = [
    say(turn.gardener ? "tell.gardener_of" : "tell.structure", laid),
    ...(boar === null
      ? []
      : [boar.to === null ? say("tell.boar_leaves") : say("tell.boar", { square: boar.to })]),
    ...(turn.noble === null ? [] : [say("tell.noble", { square: turn.noble })]),
    count("points", points.total),
  ];
  return `${say("tell.card", { name, card: describeCard(turn.card, names) })}${say("colon")}${parts.join(", ")}`;
}
