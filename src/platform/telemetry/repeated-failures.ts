const LOG_EVERY_MS = 60_000;
/** With more kinds of failures at once, all are logged. */
const MOST_KINDS = 1_000;

interface Logged {
  atMs: number;
  /** How many were not logged since. */
  omitted: number;
}

/** Thins out the log of an outage, during which each request and each periodic work fails in the same way. */
export class RepeatedFailures {
  private readonly kinds = new Map<string, Logged>();

  /**
   * Returns how many failures of this kind were omitted since the last one that was logged; null when this one is omitted, too,
   * because another one was logged less than a minute ago.
   */
  omittedBefore(kind: string, nowMs: number): number | null {
    const logged = this.kinds.get(kind);
    if (logged && nowMs - logged.atMs < LOG_EVERY_MS) {
      logged.omitted += 1;
      return null;
    }
    if (this.kinds.size >= MOST_KINDS) this.kinds.clear();
    this.kinds.set(kind, { atMs: nowMs, omitted: 0 });
    return logged?.omitted ?? 0;
  }
}
