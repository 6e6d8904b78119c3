/**
 * Queues announcements for screen readers.
 *
 * Messages that arrive together are announced together, urgent ones first. After that there is a pause, so that nothing
 * interrupts a message; a waiting message is replaced by a newer one about the same subject.
 */
import type { Schedule } from "../game/animation";
import { withFullStop } from "../i18n/i18n.svelte";

/** Milliseconds during which messages are collected, and the pause after an announcement. */
const BATCH_DELAY = 60;
const PAUSE = 700;

export interface AnnounceOptions {
  /** Errors are announced before waiting messages. */
  readonly urgent?: boolean;
  /** A newer message replaces waiting ones about the same subject. */
  readonly about?: string;
}

export class Announcer {
  private waiting: readonly (AnnounceOptions & { readonly text: string })[] = [];
  private busy = false;

  constructor(
    private readonly schedule: Schedule,
    private readonly speak: (text: string) => void,
  ) {}

  announce(text: string, options: AnnounceOptions = {}): void {
    if (text.trim() === "") return;
    const others = this.waiting.filter(
      (one) => one.text !== text && (options.about === undefined || one.about !== options.about),
    );
    this.waiting = [...others, { text, ...options }];
    if (this.busy) return;
    this.busy = true;
    this.schedule(BATCH_DELAY, () => this.next());
  }

  private next(): void {
    this.busy = this.waiting.length > 0;
    if (!this.busy) return;
    const [urgent, calm] = [true, false].map((now) => this.waiting.filter((one) => !!one.urgent === now));
    this.waiting = [];
    this.speak([...urgent!, ...calm!].map(({ text }) => withFullStop(text)).join(" "));
    this.schedule(PAUSE, () => this.next());
  }
}
