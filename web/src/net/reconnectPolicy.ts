/** Whether to come back after a connection was closed or refused, and when. */

/** Why coming back does not help by itself; keys for words. */
export const CONNECTION_REFUSALS = [
  "protocol", // a mistake in this program, or a newer server
  "chair_lost", // the chair is not ours any more
  "too_many", // too many connections, or too many who watch
  "unknown_table",
  "no_guest",
  "not_allowed",
  "wrong_host",
] as const;
export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number];

const MAX_DELAY = 30;

/** Seconds before an attempt: 1, 2, 4 … 30, a fifth more or less; `random` is from 0 to 1. */
export function reconnectDelay(attempt: number, random: number): number {
  return Math.min(2 ** attempt, MAX_DELAY) * (0.8 + 0.4 * random);
}

const CLOSE_ACTIONS: Readonly<Record<number, ConnectionRefusal | "at once">> = {
  1009: "protocol",
  4400: "protocol",
  4401: "at once", // the ticket was too old: a fresh one will do
  4403: "chair_lost",
  4429: "too_many",
};

/** What a close code means, as docs/protocol.md lists them; every other one means that the line was lost. */
export function closeAction(code: number): ConnectionRefusal | "at once" | "again" {
  return CLOSE_ACTIONS[code] ?? "again";
}

/** An answer to a request that is not the one hoped for. */
export interface FailedRequest {
  readonly status: number;
  /** Seconds, as `Retry-After` says. */
  readonly retryAfter?: number | null;
}

export function isFailedRequest(error: unknown): error is FailedRequest {
  return typeof error === "object" && error !== null && "status" in error && typeof error.status === "number";
}

const REFUSED_STATUSES: Readonly<Record<number, ConnectionRefusal>> = {
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
export function ticketFailure(failure: FailedRequest): {
  readonly refusal: ConnectionRefusal | null;
  readonly wait: number | null;
} {
  return { refusal: REFUSED_STATUSES[failure.status] ?? null, wait: failure.retryAfter || null };
}
