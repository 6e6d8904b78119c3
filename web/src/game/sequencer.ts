/** Shows moments one after the other; whoever does not want to wait sees the end of them at once. */

/** Do something later; the answer calls it off. */
export type Schedule = (milliseconds: number, act: () => void) => () => void;

export const schedule: Schedule = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

export class Sequencer<Step extends { readonly duration: number }> {
  private endPause: () => void = () => {};
  /** Counts performances, so that one that was skipped shows nothing any more. */
  private generation = 0;

  constructor(
    private readonly schedule: Schedule,
    /** Is told each moment, and null when all is over. */
    private readonly show: (step: Step | null) => void,
  ) {}

  /** Show moments; done when they are over, or skipped. What is shown already is finished first. */
  async play(steps: readonly Step[]): Promise<void> {
    this.finish();
    const { generation } = this;
    for (const step of steps) {
      this.show(step);
      await this.pause(step.duration);
      if (generation !== this.generation) return;
    }
    this.finish();
  }

  /** Skip what is left. */
  finish(): void {
    this.generation += 1;
    this.show(null);
    this.endPause();
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.schedule(milliseconds, resolve);
      this.endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
