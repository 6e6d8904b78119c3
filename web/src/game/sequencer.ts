/** Shows the steps of an animation one after the other, and can skip to the end. */

/** Runs `act` later; the returned function cancels it. */
export type Schedule = (milliseconds: number, act: () => void) => () => void;

export const schedule: Schedule = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

export class Sequencer<Step extends { readonly duration: number }> {
  private endPause: () => void = () => {};
  /** Counts runs: a run that was finished early must not show its remaining steps. */
  private generation = 0;

  constructor(
    private readonly schedule: Schedule,
    /** Called with each step, and with null at the end. */
    private readonly show: (step: Step | null) => void,
  ) {}

  /** Show steps; resolves when they are over or skipped. A run in progress is finished first. */
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

  /** End the run at once, and wake the `play` that waits for its current step. */
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
