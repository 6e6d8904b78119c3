/** The one voice of the page: what is said by itself to whoever does not see it. `Voice.svelte` is where it is heard. */
import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";

import { schedule } from "../game/sequencer";
import { Announcer, type AnnounceOptions } from "./announcer";

class LiveRegion {
  /** What is said now; each time it is something new, even in the same words. */
  spoken = $state.raw<{ readonly text: string }>({ text: "" });
  private readonly announcer = new Announcer(schedule, (text) => (this.spoken = { text }));

  announce(text: string, options?: AnnounceOptions): void {
    untrack(() => this.announcer.announce(text, options));
  }
}

export const liveRegion = new LiveRegion();

/** For an element whose text is said when it comes, and when it changes. */
export function announce(text: string, options?: AnnounceOptions): Attachment {
  return () => liveRegion.announce(text, options);
}
