/** Maximum number of queued runs. More are in the database, and are found when these are done. */
const MOST_QUEUED = 500;

/** The places for runs in this process, and the runs that wait for one. */
export class RunPlaces {
  /** Runs that are executed, or about to be. */
  private readonly taken = new Set<string>();
  /** Of these, the runs that only wait briefly: they take no place. */
  private readonly staying = new Set<string>();
  /** Runs whose steps only wait for other runs: keeping their places could deadlock all of them. */
  private readonly yielded = new Set<string>();
  /** Queued runs, in order of arrival. */
  private readonly backlog = new Set<string>();
  /** Queued runs for which steps of other runs wait. They come first, so that started runs finish first. */
  private readonly awaited = new Set<string>();

  /** @param most returns the current number of places */
  constructor(private readonly most: () => number) {}

  get hasRoom(): boolean {
    return this.taken.size - new Set([...this.staying, ...this.yielded]).size < this.most();
  }

  /** True when runs are queued for which no other run waits. */
  get hasBacklog(): boolean {
    return this.backlog.size > 0;
  }

  /** Gives a run a place until it leaves. */
  take(id: string): void {
    this.taken.add(id);
    this.staying.delete(id);
    this.yielded.delete(id);
  }

  leave(id: string): void {
    this.taken.delete(id);
    this.staying.delete(id);
    this.yielded.delete(id);
  }

  /** Lets a waiting run stay in memory without a place, unless too many do. Returns whether it may. */
  stay(id: string): boolean {
    if (!this.staying.has(id) && this.staying.size >= this.most()) return false;
    if (this.taken.has(id)) this.staying.add(id);
    return true;
  }

  /** Gives a run that stayed its place again. */
  reclaim(id: string): void {
    this.staying.delete(id);
  }

  setYielded(id: string, isYielded: boolean): void {
    if (isYielded && this.taken.has(id)) this.yielded.add(id);
    else this.yielded.delete(id);
  }

  listStaying(): string[] {
    return [...this.staying];
  }

  /** Queues a run until there is room. @param isAwaited true when a step of another run waits for it */
  queue(id: string, isAwaited: boolean): void {
    if (isAwaited) {
      this.backlog.delete(id);
      this.awaited.add(id);
    } else if (this.backlog.size < MOST_QUEUED && !this.awaited.has(id)) {
      this.backlog.add(id);
    }
  }

  /** Takes the next run from the queue; undefined when there is none, or no room. */
  next(): string | undefined {
    const queue = this.awaited.size > 0 ? this.awaited : this.backlog;
    const [next] = queue;
    if (next === undefined || !this.hasRoom) return undefined;
    queue.delete(next);
    return next;
  }

  clear(): void {
    for (const runs of [this.taken, this.staying, this.yielded, this.backlog, this.awaited]) runs.clear();
  }
}
