/** How many runs it remembers that wait for a place. More are found in the database when these are through. */
const MOST_QUEUED = 500;

/** Which runs have a place in this process, and which wait for one. */
export class RunPlaces {
  /** Those that are executed, or about to be. */
  private readonly taken = new Set<string>();
  /** Those of them that only wait, for a moment: they take no place from others. */
  private readonly staying = new Set<string>();
  /** Those whose steps only wait for other runs: to keep the place from these could hold up all of them for ever. */
  private readonly aside = new Set<string>();
  /** In the order in which they came. */
  private readonly backlog = new Set<string>();
  /** Those before them, which steps of other runs wait for: so the runs that have begun come to an end first. */
  private readonly awaited = new Set<string>();

  /** @param most returns how many places there are now */
  constructor(private readonly most: () => number) {}

  get hasRoom(): boolean {
    return this.taken.size - new Set([...this.staying, ...this.aside]).size < this.most();
  }

  /** Whether runs wait for a place that no other run waits for. */
  get hasBacklog(): boolean {
    return this.backlog.size > 0;
  }

  /** Gives a run a place, which it keeps until it leaves. */
  take(id: string): void {
    this.taken.add(id);
    this.staying.delete(id);
    this.aside.delete(id);
  }

  leave(id: string): void {
    this.taken.delete(id);
    this.staying.delete(id);
    this.aside.delete(id);
  }

  /** Lets a run that only waits stay here without a place, unless too many do. Returns whether it may. */
  stay(id: string): boolean {
    if (!this.staying.has(id) && this.staying.size >= this.most()) return false;
    if (this.taken.has(id)) this.staying.add(id);
    return true;
  }

  /** A run that stayed goes on, in its place. */
  goOn(id: string): void {
    this.staying.delete(id);
  }

  standAside(id: string, isAside: boolean): void {
    if (isAside && this.taken.has(id)) this.aside.add(id);
    else this.aside.delete(id);
  }

  /** Lists those that stay here without a place. */
  listStaying(): string[] {
    return [...this.staying];
  }

  /** Has a run wait until there is room. @param isAwaited whether a step of another run waits for it */
  queue(id: string, isAwaited: boolean): void {
    if (isAwaited) {
      this.backlog.delete(id);
      this.awaited.add(id);
    } else if (this.backlog.size < MOST_QUEUED && !this.awaited.has(id)) {
      this.backlog.add(id);
    }
  }

  /** Takes the run from the queue whose turn it is; undefined when there is none, or no room. */
  next(): string | undefined {
    const queue = this.awaited.size > 0 ? this.awaited : this.backlog;
    const [next] = queue;
    if (next === undefined || !this.hasRoom) return undefined;
    queue.delete(next);
    return next;
  }

  clear(): void {
    for (const runs of [this.taken, this.staying, this.aside, this.backlog, this.awaited]) runs.clear();
  }
}
