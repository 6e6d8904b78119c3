/** When to reconnect after a connection was closed or refused, and when not to. */

/** Why reconnecting would not help. */
export const CONNECTION_REFUSALS = [
  "protocol", // a bug here, or a newer server
  "chair_lost", // the chair was given to somebody else
  "too_many", // too many connections or spectators
  "unknown_table",
  "expired", // nobody used the table before its game started
  "no_guest",
  "not_allowed",
  "wrong_host",
] as const;
export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number];

const MAX_DELAY = 30;

/** Exponential backoff with jitter: 1, 2, 4 … 30 seconds, ±20 %; `random` is from 0 to 1. */
export function reconnectDelay(attempt: number, random: number): number {
  return Math.min(2 ** attempt, MAX_DELAY) * (0.8 + 0.4 * random);
}

/** Seconds over which the clients of a server that restarts spread their first attempt. */
export const RESTART_SPREAD = 1;

const CLOSE_ACTIONS: Readonly<Record<number, ConnectionRefusal | "at once" | "soon">> = {
  1009: "protocol",
  1012: "soon", // the server is stopping, and another one may be there already
  4400: "protocol",
  4401: "at once", // the ticket had expired: a new one will do
  4403: "chair_lost",
  4429: "too_many",
};

/** What to do after a close code (docs/protocol.md); unknown codes mean a lost connection. */
export function closeAction(code: number): ConnectionRefusal | "at once" | "soon" | "again" {
  return CLOSE_ACTIONS[code] ?? "again";
}

/** An error response. */
export interface FailedRequest {
  readonly status: number;
  /** Seconds from the `Retry-After` header. */
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
  410: "expired",
  413: "protocol",
  421: "wrong_host",
  422: "protocol",
};

/** What to do without a ticket: give up, or wait at least `wait` seconds. */
export function ticketFailure(failure: FailedRequest): {
  readonly refusal: ConnectionRefusal | null;
  readonly wait: number | null;
} {
  return { refusal: REFUSED_STATUSES[failure.status] ?? null, wait: failure.retryAfter || null };
}
