/** Runs work one after the other, in the order of the calls. A failure does not affect later work. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs work when all earlier work has ended. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when all current work has ended. */
  async settled(): Promise<void> {
    await this.last;
  }
}
