/** Fires when nothing has come for a time. */
export class Patience {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.timer = setTimeout(() => this.controller.abort(new Error('nothing came in time')), ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something has come. */
  renew(): void {
    this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
