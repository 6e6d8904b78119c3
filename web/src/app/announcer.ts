/**
 * One voice for those who do not see the screen: all that is said by itself goes through it, one thing after the other.
 *
 * What comes at the same time is said together, what is urgent first. While something is being said the rest waits, so
 * that nothing replaces a sentence before it was heard; of what waits, a newer sentence about a thing replaces an older.
 */
import type { Schedule } from "../game/sequencer";

/** Milliseconds in which sentences are gathered, and in which nothing new is said after them. */
export const BATCH_DELAY = 60;
export const PAUSE = 700;

export interface AnnounceOptions {
  /** A no, or a trouble: it is said before what waits. */
  readonly urgent?: boolean;
  /** What it is about: only the newest sentence about it matters. */
  readonly about?: string;
}

export class Announcer {
  private waiting: readonly (AnnounceOptions & { readonly text: string })[] = [];
  private busy = false;

  constructor(
    private readonly schedule: Schedule,
    private readonly speak: (text: string) => void,
  ) {}

  /** Say something as soon as it is its turn. */
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
    this.speak([...urgent!, ...calm!].map(({ text }) => asClause(text)).join(" "));
    this.schedule(PAUSE, () => this.next());
  }
}

/** With a full stop, so that a screen reader pauses after it. */
function asClause(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
