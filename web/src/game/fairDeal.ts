/** The commitments of the schemes `fair/2` and `fair/3`, by which nobody can choose the shuffle: see docs/chance.md. */
import { sha256 } from "@noble/hashes/sha2.js";

import type { KeptNonce } from "../app/settings";
import type { ChairView, TableView } from "../net/types";

type Scheme = TableView["scheme"];
type DealTerms = Pick<TableView["terms"], "edition" | "expansions" | "seats" | "first"> & {
  readonly boards: Pick<TableView["terms"]["boards"], "sha256">;
};

export type DealtTable = Pick<TableView, "table" | "scheme" | "commitment" | "deal_commitment" | "ending"> & {
  readonly terms: DealTerms;
  readonly chairs: readonly Pick<ChairView, "commitment">[];
};

/** The browser's own SHA-256 (`crypto.subtle`) is missing on pages without TLS, as in a local network. */
function hash(...parts: readonly unknown[]): string {
  const bytes = sha256(new TextEncoder().encode(JSON.stringify(parts)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether people commit to their nonces before any of them is shown. */
export function isCommitting(scheme: Scheme): boolean {
  return scheme === "fair/2" || scheme === "fair/3";
}

/** A person's commitment to a nonce; empty for a computer player, who has none. */
export function nonceCommitment(
  { table, scheme }: Pick<TableView, "table" | "scheme">,
  commitment: string,
  chair: number,
  nonce: string,
): string {
  return nonce === "" ? "" : hash(`sanssouci ${scheme} nonce`, table, commitment, chair, nonce);
}

/** `fair/2` does not commit to the terms. */
function dealCommitment(
  { table, scheme, terms }: Pick<DealtTable, "table" | "scheme" | "terms">,
  commitment: string,
  committed: readonly string[],
): string {
  const parts = [`sanssouci ${scheme} deal`, table, commitment, committed];
  if (scheme === "fair/2") return hash(...parts);
  const { edition, expansions, boards, seats, first } = terms;
  return hash(...parts, [edition, expansions, boards.sha256, seats, first ?? "drawn"]);
}

/**
 * The commitment to the deal, computed from the terms and from the commitments of the server and of all chairs, or at the
 * end of a game from the seed and all nonces. Null if the server shows another one, or if `nonce` is not what the viewer's
 * chair has committed to: then it must not be revealed.
 */
export function verifiedDeal(view: DealtTable, chair: number, nonce: string): string | null {
  const { table, scheme, ending, deal_commitment } = view;
  const fair = ending?.fair;
  const commitment = fair ? hash(`sanssouci ${scheme} commitment`, table, fair.seed) : view.commitment;
  if (commitment === null) return null;
  const committed = fair
    ? fair.nonces.map((one, place) => nonceCommitment(view, commitment, place, one))
    : view.chairs.map((one) => one.commitment ?? "");
  const deal = dealCommitment(view, commitment, committed);
  const own = nonceCommitment(view, commitment, chair, nonce);
  return deal === deal_commitment && committed[chair] === own ? deal : null;
}

/**
 * Whether a table keeps the deal for which a nonce was revealed. The deal binds the commitments of all chairs, so nobody's
 * nonce can be replaced. Under `fair/2` it does not bind who begins, so that is compared with what was noted.
 */
export function isDealKept(
  view: DealtTable,
  chair: number,
  { nonce, deal, first = view.terms.first }: Pick<KeptNonce, "nonce" | "deal" | "first">,
): boolean {
  return first === view.terms.first && deal !== null && verifiedDeal(view, chair, nonce) === deal;
}
