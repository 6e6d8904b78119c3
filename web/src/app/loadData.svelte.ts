import { untrack } from "svelte";

import { i18n } from "../i18n/i18n.svelte";
import { useApp } from "./appContext.svelte";

/** Loads what a page shows: when it opens, in each new language, and when a server that did not answer does again. */
export function loadData(load: () => Promise<unknown>): void {
  const app = useApp();
  /** The language in which it is shown. */
  let loaded: string | null = null;

  $effect(() => {
    const { language } = i18n;
    if (app.offline || loaded === language) return;
    void untrack(() => app.attempt(load, true)).then((done) => {
      if (done) loaded = language;
    });
  });
}
