import type { ChairView } from "../net/types";

/** A player as the board shows them. */
export type SeatedPlayer = Pick<ChairView, "chair" | "seat" | "name" | "player" | "away" | "conceded">;

/** The other seats, in the order in which they play after one. */
export function seatsAfter(seat: number, seats: number): readonly number[] {
  return Array.from({ length: seats - 1 }, (_, index) => (seat + 1 + index) % seats);
}
