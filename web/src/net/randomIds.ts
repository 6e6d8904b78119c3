/** A player's contribution to the shuffle: 16 random bytes, in hex. */
export function randomNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** A command id. crypto.randomUUID is not available on pages without TLS. */
export const randomId = randomNonce;
