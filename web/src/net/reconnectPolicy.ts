/** Whether to come back after a connection was closed or refused, and when. */

/** Why coming back does not help by itself; keys for words. */
export const REFUSALS = [
  "protocol", // a mistake in this program, or a newer server
  "chair_lost", // the chair is not ours any more
  "too_many", // too many connections, or too many who watch
  "unknown_table",
  "no_guest",
  "not_allowed",
  "wrong_host",
] as const;
export type Refusal = (typeof REFUSALS)[number];

const LONGEST = 30;

/** Seconds before an attempt: 1, 2, 4 … 30, a fifth more or less; `random` is from 0 to 1. */
export function waitBefore(attempt: number, random: number): number {
  return Math.min(2 ** attempt, LONGEST) * (0.8 + 0.4 * random);
}

const CLOSINGS: Readonly<Record<number, Refusal | "at once">> = {
  1009: "protocol",
  4400: "protocol",
  4401: "at once", // the ticket was too old: a fresh one will do
  4403: "chair_lost",
  4429: "too_many",
};

/** What a close code means, as docs/protocol.md lists them; every other one means that the line was lost. */
export function closingOf(code: number): Refusal | "at once" | "again" {
  return CLOSINGS[code] ?? "again";
}

/** An answer to a request that is not the one hoped for. */
export interface Trouble {
  readonly status: number;
  /** Seconds, as `Retry-After` says. */
  readonly retryAfter?: number | null;
}

export function isTrouble(error: unknown): error is Trouble {
  return typeof error === "object" && error !== null && "status" in error && typeof error.status === "number";
}

const STATUSES: Readonly<Record<number, Refusal>> = {
  400: "protocol",
  401: "no_guest",
  403: "not_allowed",
  404: "unknown_table",
  409: "too_many",
  413: "protocol",
  421: "wrong_host",
  422: "protocol",
};

/** What to do when there is no ticket: give up, or wait at least so many seconds. */
export function ticketTrouble(trouble: Trouble): {
  readonly refusal: Refusal | null;
  readonly wait: number | null;
} {
  return { refusal: STATUSES[trouble.status] ?? null, wait: trouble.retryAfter || null };
}
