/** Shows moments one after the other; whoever does not want to wait sees the end of them at once. */

/** Do something later; the answer calls it off. */
export type Later = (milliseconds: number, act: () => void) => () => void;

export class Performance<Moment extends { readonly lasts: number }> {
  private goOn: () => void = () => {};
  /** Counts performances, so that one that was skipped shows nothing any more. */
  private round = 0;

  constructor(
    private readonly later: Later,
    /** Is told each moment, and null when all is over. */
    private readonly show: (moment: Moment | null) => void,
  ) {}

  /** Show moments; done when they are over, or skipped. What is shown already is finished first. */
  async perform(moments: readonly Moment[]): Promise<void> {
    this.finish();
    const { round } = this;
    for (const moment of moments) {
      this.show(moment);
      await this.pause(moment.lasts);
      if (round !== this.round) return;
    }
    this.finish();
  }

  /** Skip what is left. */
  finish(): void {
    this.round += 1;
    this.show(null);
    this.goOn();
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.later(milliseconds, resolve);
      this.goOn = () => {
        callOff();
        resolve();
      };
    });
  }
}
