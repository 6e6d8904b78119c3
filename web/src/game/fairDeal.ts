/** The commitments of the scheme `fair/2`, by which nobody can choose the shuffle: see docs/chance.md. */
import { sha256 } from "@noble/hashes/sha2.js";

import type { KeptNonce } from "../app/settings";
import type { ChairView, TableView } from "../net/types";

type CommittedTable = Pick<TableView, "table" | "commitment" | "deal_commitment"> & {
  readonly chairs: readonly Pick<ChairView, "commitment">[];
};

/** The browser's own SHA-256 (`crypto.subtle`) is missing on pages without TLS, as in a local network. */
function hash(...parts: readonly unknown[]): string {
  const bytes = sha256(new TextEncoder().encode(JSON.stringify(parts)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A person's commitment to a nonce; empty for a computer player, who has none. */
export function nonceCommitment(table: string, commitment: string, chair: number, nonce: string): string {
  return nonce === "" ? "" : hash("sanssouci fair/2 nonce", table, commitment, chair, nonce);
}

function dealCommitment(table: string, commitment: string, committed: readonly string[]): string {
  return hash("sanssouci fair/2 deal", table, commitment, committed);
}

/**
 * The commitment to the deal, computed from the commitments of the server and of all chairs. Null if the server shows
 * another one, or if `nonce` is not what the viewer's chair has committed to: then it must not be revealed.
 */
export function verifiedDeal(
  { table, commitment, chairs, deal_commitment }: CommittedTable,
  chair: number,
  nonce: string,
): string | null {
  if (commitment === null) return null;
  const committed = chairs.map((one) => one.commitment ?? "");
  const deal = dealCommitment(table, commitment, committed);
  const own = nonceCommitment(table, commitment, chair, nonce);
  return deal === deal_commitment && committed[chair] === own ? deal : null;
}

/**
 * Whether the revealed seed and nonces are those that were committed to under `deal`, with `nonce` on the viewer's
 * chair. The deal binds the commitments of all chairs, so nobody's nonce can be replaced. It does not bind who begins,
 * so that is compared with what was agreed before.
 */
export function isDealProved(
  {
    table,
    terms,
    ending,
  }: Pick<TableView, "table" | "ending"> & { readonly terms: Pick<TableView["terms"], "first"> },
  chair: number,
  { nonce, deal, first = terms.first }: Pick<KeptNonce, "nonce" | "deal" | "first">,
): boolean {
  if (!ending?.fair || first !== terms.first) return false;
  const { seed, nonces } = ending.fair;
  const commitment = hash("sanssouci fair/2 commitment", table, seed);
  const committed = nonces.map((one, place) => nonceCommitment(table, commitment, place, one));
  return nonces[chair] === nonce && dealCommitment(table, commitment, committed) === deal;
}
