const DAY_MS = 24 * 3_600_000;

/** Counts how often the code of each module was recently stopped. An offence expires after a day, and with its code. */
export class Offences {
  /** By module: the code that was last stopped, and when. */
  private readonly known = new Map<string, { key: string; timesMs: readonly number[] }>();

  /** Returns how often the code with this key was stopped within a day, including now. */
  count(name: string, key: string, nowMs: number): number {
    const before = this.known.get(name);
    const recent = before?.key === key ? before.timesMs.filter((timeMs) => nowMs - timeMs < DAY_MS) : [];
    const timesMs = [...recent, nowMs];
    this.known.set(name, { key, timesMs });
    return timesMs.length;
  }

  forget(name: string): void {
    this.known.delete(name);
  }
}
