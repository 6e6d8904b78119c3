/** The players' colours. A colour belongs to a chair, whatever seat the draw gives it. */
import type { ChairView } from "../net/types";

export type Colour = NonNullable<ChairView["colour"]>;

/** All colours, in the order in which they are assigned by default. */
export const COLOURS: readonly Colour[] = ["red", "blue", "brown", "violet", "teal", "grey"];

export type SeatColours = readonly Pick<ChairView, "seat" | "colour">[];

export type ColouredChair = Pick<ChairView, "chair" | "sitter" | "name" | "colour">;

/** The person who already has a colour; a computer player gives its colour up. */
export function holderOf(
  colour: Colour,
  chairs: readonly ColouredChair[],
  own: number | null,
): string | null {
  const one = chairs.find((chair) => chair.colour === colour && chair.chair !== own);
  return one?.sitter === "person" ? one.name : null;
}

/** The colour for a new player: the preferred one if it is free, else the first free one. */
export function colourFor(wish: Colour | null, chairs: readonly ColouredChair[]): Colour {
  if (wish !== null && holderOf(wish, chairs, null) === null) return wish;
  return COLOURS.find((colour) => chairs.every((chair) => chair.colour !== colour)) ?? COLOURS[0]!;
}

/** CSS custom properties that give each seat the colour of its player. */
export function colourTokens(chairs: SeatColours): readonly (readonly [token: string, value: string])[] {
  return chairs.flatMap(({ seat, colour }) =>
    seat === null || colour === null
      ? []
      : (["seat", "cloth"] as const).map((of) => [`--${of}-${seat}`, `var(--${of}-${colour})`] as const),
  );
}
