/** The other seats, in the order in which they play after one. */
export function seatsAfter(seat: number, seats: number): readonly number[] {
  return Array.from({ length: seats - 1 }, (_, index) => (seat + 1 + index) % seats);
}
