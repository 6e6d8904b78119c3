/** The commitments of the scheme `fair/2`, by which nobody can choose the shuffle: see docs/chance.md. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import type { TableView } from "../net/types";

/** The browser's own SHA-256 (`crypto.subtle`) is missing on pages without TLS, as in a local network. */
const hash = (...parts: readonly unknown[]) => bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))));

/** A person's commitment to a nonce; empty for a computer player, who has none. */
export function nonceCommitment(table: string, commitment: string, chair: number, nonce: string): string {
  return nonce === "" ? "" : hash("sanssouci fair/2 nonce", table, commitment, chair, nonce);
}

/** Whether the revealed seed and nonces are those that were committed to, under `deal`. */
export function isDealProved({ table, ending }: Pick<TableView, "table" | "ending">, deal: string): boolean {
  if (!ending?.fair) return false;
  const { seed, nonces } = ending.fair;
  const commitment = hash("sanssouci fair/2 commitment", table, seed);
  const committed = nonces.map((nonce, chair) => nonceCommitment(table, commitment, chair, nonce));
  return hash("sanssouci fair/2 deal", table, commitment, committed) === deal;
}
