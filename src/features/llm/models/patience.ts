/** An idle timeout: fires when nothing has arrived for a time. */
export class Patience {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  private isLast = false;

  constructor(ms: number) {
    this.timer = this.start(ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the timeout after a part has arrived. */
  renew(): void {
    if (!this.isLast) this.timer.refresh();
  }

  /** Leaves a last time, which nothing extends. */
  endWithin(ms: number): void {
    if (this.isLast) return;
    this.isLast = true;
    clearTimeout(this.timer);
    this.timer = this.start(ms);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private start(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(new Error('nothing came in time')), ms);
  }
}
