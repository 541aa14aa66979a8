interface Window {
  endsAtMs: number;
  starts: number;
}

/** Limits the number of started runs of each workflow per time window. */
export class StartLimit {
  private readonly windows = new Map<string, Window>();

  /** @param onReached called once per window, when the first start is refused */
  constructor(
    private readonly maxStarts: number,
    private readonly windowMs: number,
    private readonly onReached: (workflow: string) => void,
  ) {}

  /** Counts a start; returns whether it is within the limit. */
  admits(workflow: string, nowMs: number): boolean {
    const window = this.windowOf(workflow, nowMs);
    window.starts += 1;
    if (window.starts === this.maxStarts + 1) this.onReached(workflow);
    return window.starts <= this.maxStarts;
  }

  private windowOf(workflow: string, nowMs: number): Window {
    const current = this.windows.get(workflow);
    // Not in a window that began before the clock was set back.
    if (current && nowMs < current.endsAtMs && nowMs >= current.endsAtMs - this.windowMs) return current;
    for (const [name, { endsAtMs }] of this.windows) if (endsAtMs <= nowMs) this.windows.delete(name);
    const window = { endsAtMs: nowMs + this.windowMs, starts: 0 };
    this.windows.set(workflow, window);
    return window;
  }
}
