/** The one voice of the page: what is said by itself to whoever does not see it. `Voice.svelte` is where it is heard. */
import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";

import { Announcer, type Manner } from "./announcer";

class Voice {
  /** What is said now; each time it is something new, even in the same words. */
  spoken = $state.raw<{ readonly text: string }>({ text: "" });
  private readonly announcer = new Announcer(waitFor, (text) => (this.spoken = { text }));

  say(text: string, manner?: Manner): void {
    untrack(() => this.announcer.say(text, manner));
  }
}

export const voice = new Voice();

/** For an element whose text is said when it comes, and when it changes. */
export function aloud(text: string, manner?: Manner): Attachment {
  return () => voice.say(text, manner);
}

function waitFor(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}
