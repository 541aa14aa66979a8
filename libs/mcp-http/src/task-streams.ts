/**
 * Tracks which streams follow which tasks. A notification always carries the whole current task, so changes that arrive while
 * others are being sent are merged.
 */
export class TaskStreams<Stream> {
  private readonly followers = new Map<string, Set<Stream>>();
  private readonly waiting = new Map<string, Set<Stream>>();
  private sending: Promise<void> = Promise.resolve();

  /** @param send reads the task and sends it to the streams; must not fail */
  constructor(private readonly send: (taskId: string, streams: ReadonlySet<Stream>) => Promise<void>) {}

  /** Makes a stream follow tasks. It first gets their current state, which may have changed since its client asked. */
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

  /** @param changed the task that changed; null = any may have */
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
    // One task at a time: many changes at once must not starve calls of the database.
    if (!isPlanned) this.sending = this.sending.then(() => this.sendWaiting(taskId));
  }

  private sendWaiting(taskId: string): Promise<void> {
    const streams = setOf(this.waiting, taskId);
    this.waiting.delete(taskId);
    return this.send(taskId, streams);
  }
}

function setOf<V>(sets: Map<string, Set<V>>, key: string): Set<V> {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set()));
  return set;
}
