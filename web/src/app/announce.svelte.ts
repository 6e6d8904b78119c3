/** Announcements for screen readers. `LiveRegion.svelte` renders them. */
import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";

import { schedule } from "../game/animation";
import { t } from "../i18n/i18n.svelte";
import { Announcer, type AnnounceOptions } from "./announcer";

class LiveRegion {
  /** A new object for each announcement, even with the same text. */
  spoken = $state.raw<{ readonly text: string }>({ text: "" });
  private readonly announcer = new Announcer(schedule, (text) => (this.spoken = { text }));

  announce(text: string, options?: AnnounceOptions): void {
    untrack(() => this.announcer.announce(text, options));
  }
}

export const liveRegion = new LiveRegion();

/** Attachment that announces a text when the element appears and when the text changes. */
export function announce(text: string, options?: AnnounceOptions): Attachment {
  return () => liveRegion.announce(text, options);
}

/** Announces that a lost connection is back, while a component is shown. */
export function announceReconnection(isLost: () => boolean): void {
  let lost = false;
  $effect(() => {
    if (lost && !isLost()) liveRegion.announce(t("connection.restored"));
    lost = isLost();
  });
}
