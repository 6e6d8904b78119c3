/** The edition whose motifs are drawn: Imperial has a tree and flowers where Ravensburger has topiary and a rose arch. */
import { getContext, setContext } from "svelte";

import type { Edition } from "../net/types";

export const KEY = Symbol("edition");

/** To be called while a component is set up; applies to all drawings in it. */
export function setDrawnEdition(edition: () => Edition | undefined): void {
  setContext(KEY, edition);
}

/** The edition of the component around, if it has one. */
export function drawnEdition(): () => Edition | undefined {
  return getContext<(() => Edition | undefined) | undefined>(KEY) ?? (() => undefined);
}
