/** How long a question stays open: a little shorter than the SDK waits, which then fails the call that asks (10 minutes). */
const OPEN_MS = 590_000;

/** The elicitations of a transport that nobody has answered yet, by their ids. */
export class OpenQuestions {
  private readonly timers = new Map<number, { timer: NodeJS.Timeout; call?: number }>();

  /** @param onUnanswered ends a question that nobody has answered in time; `call` = the request that asks */
  constructor(private readonly onUnanswered: (id: number, call?: number) => void) {}

  add(id: number, call?: number): void {
    this.timers.set(id, {
      timer: setTimeout(() => this.end(id), OPEN_MS).unref(),
      ...(call !== undefined && { call }),
    });
  }

  /** Returns whether the question was open. */
  delete(id: number): boolean {
    clearTimeout(this.timers.get(id)?.timer);
    return this.timers.delete(id);
  }

  endAll(): void {
    for (const id of this.timers.keys()) this.end(id);
  }

  clear(): void {
    for (const id of this.timers.keys()) this.delete(id);
  }

  private end(id: number): void {
    const { call } = this.timers.get(id) ?? {};
    if (this.delete(id)) this.onUnanswered(id, call);
  }
}
