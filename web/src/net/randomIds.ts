/** What is drawn at random in the browser. */

/** What goes into the shuffle: 16 random bytes, in hex. */
export function randomNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** A command's id; crypto.randomUUID is missing on pages that come without TLS. */
export const randomId = randomNonce;
