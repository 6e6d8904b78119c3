/** Links of the start screen: the key of the text, and the path. */
import type { MessageKey } from "../i18n/i18n.svelte";

export interface Destination {
  readonly word: MessageKey;
  readonly path: string;
}

export const PLACES: readonly Destination[] = [
  { word: "place.learn", path: "/learn" },
  { word: "place.lessons", path: "/lessons" },
  { word: "place.daily", path: "/daily" },
  { word: "place.replay", path: "/replay" },
  { word: "place.scores", path: "/scores" },
  { word: "place.statistics", path: "/statistics" },
];
