/** An idle timeout: fires when nothing has arrived for a time. */
export class Patience {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.timer = setTimeout(() => this.controller.abort(new Error('nothing came in time')), ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the timeout after a part has arrived. */
  renew(): void {
    this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
