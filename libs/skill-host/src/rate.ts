/** How many lines a module may log in a second. */
export const LINES_A_SECOND = 20;

// A module may replace the clock, as libraries for tests do.
const nowMs = performance.now.bind(performance);

/** Allows a number of events in each second. */
export class Rate {
  private second = 0;
  private count = 0;

  constructor(private readonly most: number) {}

  allows(): boolean {
    const second = Math.floor(nowMs() / 1_000);
    if (second !== this.second) [this.second, this.count] = [second, 0];
    this.count += 1;
    return this.count <= this.most;
  }
}
