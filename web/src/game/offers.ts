/** Offers: a person asks all others to end the game, to pause it, or to take back a turn. */
import type { TableView } from "../net/types";
import type { LogEntry } from "./eventLog";

type OfferView = NonNullable<TableView["offer"]>;
export type OfferKind = OfferView["what"];

/** How people at this screen take part in an offer: one of them is to answer, all have agreed, or they watch. */
export type OfferRole = "answers" | "waits" | "watches";

type Seen = Pick<TableView, "chairs" | "offer">;

/** The chairs whose people have not answered yet. Computer players and stand-ins are not asked. */
export function unanswered({ chairs, offer }: Seen): readonly number[] {
  return chairs
    .filter(({ sitter, away, conceded }) => sitter === "person" && !away && !conceded)
    .map(({ chair }) => chair)
    .filter((chair) => !offer?.agreed.includes(chair));
}

/**
 * What the viewer asked for and somebody declined, or the viewer withdrew: it can be asked again after a person's next
 * turn. Whether a turn could be taken back at all is not known here.
 */
export function declinedOffers({
  chairs,
  offer,
  you,
}: Pick<TableView, "chairs" | "offer" | "you">): readonly OfferKind[] {
  const deciding = unanswered({ chairs, offer: null });
  if (offer !== null || you.chair === null || !deciding.includes(you.chair) || deciding.length === 1)
    return [];
  return (["abandon", "pause"] as const).filter((what) => !you.offers.includes(what));
}

export function offerRole(view: Seen, own: readonly number[]): OfferRole {
  if (own.some((chair) => unanswered(view).includes(chair))) return "answers";
  return own.some((chair) => view.offer?.agreed.includes(chair)) ? "waits" : "watches";
}

/** How an offer ended: declined by somebody, carried out, or lapsed with a turn. */
export type OfferOutcome =
  { readonly type: "declined"; readonly by: number } | { readonly type: "paused" | "taken_back" | "lapsed" };

/** The outcome of an offer that is no longer open, by the events since it was made. */
export function offerOutcome(offer: OfferView, since: readonly LogEntry[]): OfferOutcome {
  const declined = since.find(({ kind }) => kind === "decline");
  if (declined !== undefined) return { type: "declined", by: declined.chair ?? offer.chair };
  if (since.some(({ kind }) => kind === "paused")) return { type: "paused" };
  const takenBack = since.some(({ kind, chair }) => kind === "take_back" && chair === offer.chair);
  return { type: takenBack ? "taken_back" : "lapsed" };
}
