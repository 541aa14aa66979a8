/** Lets one caller at a time continue, in the order of the calls, but the urgent ones before all others. */
export class Turns {
  private busy = false;
  /** What begins the turns of those who wait. */
  private readonly urgent: (() => void)[] = [];
  private readonly others: (() => void)[] = [];

  /** Resolves when it is the caller's turn, to the function that ends the turn. @throws the reason of the signal */
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
        signal.removeEventListener('abort', giveUp);
        this.busy = true; // at once: nobody else may take this turn
        resolve();
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      queue.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
