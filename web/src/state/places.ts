/** Further places that the start leads to, in their order; each has its name in the catalogues. */

export const PLACES = [{ path: "/scores", name: "place.scores" }] as const;
