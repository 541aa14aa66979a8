/** A mutex: lets one caller at a time continue, in the order of the calls, urgent ones first. */
export class Turns {
  private busy = false;
  /** The callbacks that start the turns of waiting callers. */
  private readonly urgent: (() => void)[] = [];
  private readonly others: (() => void)[] = [];

  /** Resolves when it is the caller's turn, with the function that ends the turn. @throws the reason of the signal */
  async take(isUrgent: boolean, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.busy) await this.wait(isUrgent ? this.urgent : this.others, signal);
    this.busy = true;
    return () => {
      this.busy = false;
      (this.urgent.shift() ?? this.others.shift())?.();
    };
  }

  private wait(queue: (() => void)[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', abort);
        this.busy = true; // immediately, so that nobody else can take this turn
        resolve();
      };
      const abort = () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      queue.push(begin);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
