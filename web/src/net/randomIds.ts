function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** A player's contribution to the shuffle: 16 random bytes, in hex. */
export const randomNonce = (): string => randomHex(16);

/**
 * A command id, which the server also uses as the request id in its log. It hides longer ones, as they could be
 * secrets. crypto.randomUUID is not available on pages without TLS.
 */
export const randomId = (): string => randomHex(8);
