/**
 * Who follows which tasks. What is told of a task is always the whole task as it is at that moment, so changes that come
 * while others are being told become one.
 */
export class TaskStreams<Stream> {
  private readonly followers = new Map<string, Set<Stream>>();
  private readonly waiting = new Map<string, Set<Stream>>();
  private telling: Promise<void> = Promise.resolve();

  /** @param tell reads the task and tells the streams of it; it must not fail */
  constructor(private readonly tell: (taskId: string, streams: ReadonlySet<Stream>) => Promise<void>) {}

  /** Has a stream follow tasks. It is first told how they are now: they may have changed since its client asked. */
  add(stream: Stream, taskIds: readonly string[]): void {
    for (const taskId of taskIds) {
      setOf(this.followers, taskId).add(stream);
      this.plan(taskId, [stream]);
    }
  }

  remove(stream: Stream, taskIds: readonly string[]): void {
    for (const taskId of taskIds) {
      const streams = this.followers.get(taskId);
      if (streams?.delete(stream) && streams.size === 0) this.followers.delete(taskId);
    }
  }

  /** @param changed the task that changed; null: any may have */
  changed(changed: string | null): void {
    for (const taskId of changed === null ? this.followers.keys() : [changed]) {
      const streams = this.followers.get(taskId);
      if (streams) this.plan(taskId, streams);
    }
  }

  private plan(taskId: string, streams: Iterable<Stream>): void {
    const isPlanned = this.waiting.has(taskId);
    const waiting = setOf(this.waiting, taskId);
    for (const stream of streams) waiting.add(stream);
    // One task after the other: many that change at once must not take the database from the calls.
    if (!isPlanned) this.telling = this.telling.then(() => this.tellWaiting(taskId));
  }

  private tellWaiting(taskId: string): Promise<void> {
    const streams = setOf(this.waiting, taskId);
    this.waiting.delete(taskId);
    return this.tell(taskId, streams);
  }
}

function setOf<V>(sets: Map<string, Set<V>>, key: string): Set<V> {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set()));
  return set;
}
