/** The colours of those who sit at a table: each has one of its own, whatever seat the start gives it. */
import type { ChairView } from "../net/types";

export type Colour = NonNullable<ChairView["colour"]>;

/** All colours, in the order in which those get them who have no wish. */
export const COLOURS: readonly Colour[] = ["red", "blue", "brown", "violet", "teal", "grey"];

/** Who wears what. */
export type ColouredChair = Pick<ChairView, "chair" | "sitter" | "name" | "colour">;

/** The name of the person who has a colour already; a computer player gives its own away. */
export function holderOf(
  colour: Colour,
  chairs: readonly ColouredChair[],
  own: number | null,
): string | null {
  const one = chairs.find((chair) => chair.colour === colour && chair.chair !== own);
  return one?.sitter === "person" ? one.name : null;
}

/** The colour for somebody who sits down: as wished, or one that nobody has. */
export function colourFor(wish: Colour | null, chairs: readonly ColouredChair[]): Colour {
  if (wish !== null && holderOf(wish, chairs, null) === null) return wish;
  return COLOURS.find((colour) => chairs.every((chair) => chair.colour !== colour)) ?? COLOURS[0]!;
}

/** The tokens of each seat, and what they stand for at a table. */
export function colourTokens(
  chairs: readonly Pick<ChairView, "seat" | "colour">[],
): readonly (readonly [token: string, value: string])[] {
  return chairs.flatMap(({ seat, colour }) =>
    seat === null || colour === null
      ? []
      : (["seat", "cloth"] as const).map((of) => [`--${of}-${seat}`, `var(--${of}-${colour})`] as const),
  );
}
