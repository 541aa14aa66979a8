/** How many requests of one client begin in one turn of the event loop. */
const PER_TURN = 2;
/** Rate at which a large body delays its client's next requests, in addition to the time for the work itself. */
const BYTES_PER_MS = 20_000;
/** Bodies up to this size are free. */
const FREE_BYTES = 65_536;
/** How long each refused request delays its client, if the client continues without waiting. */
const REFUSAL_MS = 5;
/** Cap on the delay, so that no client is locked out. */
const MOST_DELAY_MS = 5_000;
/** A client that has been alone for this long need not wait: there is nobody to be fair to. */
const ALONE_AFTER_MS = 1_000;

/** With more clients, the counts are dropped after each turn. */
const MOST_KNOWN = 1_000;

/** A request waiting to begin. */
interface Beginning {
  /** Announced size of its body. */
  bytes: number;
  /** Returns whether its connection is still open. */
  isWanted: () => boolean;
}

interface Waiting extends Beginning {
  go: () => void;
}

/**
 * Schedules requests fairly: a few per client in each turn of the event loop, before any body is read. However many requests one
 * client sends, others wait for only a few of them. After a large body or a refusal, a client waits a while for its next turn.
 */
export class FairQueue {
  /** For each client: its latest turn of the event loop, and how many of its requests began in it. */
  private readonly started = new Map<string, { turn: number; count: number }>();
  private turns = 0;
  private readonly waiting = new Map<string, Waiting[]>();
  /** Until when each client is delayed for the work that it has caused. */
  private readonly delayedUntilMs = new Map<string, number>();
  /** The client that began last, and when another one did. */
  private last = { client: '', atMs: -Infinity, otherAtMs: -Infinity };
  private isScheduled = false;
  private timer: NodeJS.Timeout | null = null; // null = no client waits only for its delay to pass

  constructor(private readonly nowMs = () => performance.now()) {}

  /**
   * Returns whether the request may begin, at once or when its turn comes; false when the client already has `most` requests
   * waiting.
   */
  turn(client: string, { bytes, isWanted }: Beginning, most: number): boolean | Promise<boolean> {
    const queue = this.waiting.get(client) ?? [];
    if (queue.length === 0 && this.mayBegin(client)) {
      this.begin(client, bytes);
      return true;
    }
    if (queue.length >= most) return false;
    this.waiting.set(client, queue);
    return new Promise((resolve) => {
      queue.push({ bytes, isWanted, go: () => resolve(true) });
      this.schedule();
    });
  }

  /** Delays a client because one of its requests was refused. */
  chargeRefusal(client: string): void {
    this.charge(client, REFUSAL_MS);
  }

  /** Delays a client because of a body whose size it did not announce. */
  chargeBody(client: string, bytes: number): void {
    if (bytes > FREE_BYTES) this.charge(client, bytes / BYTES_PER_MS);
  }

  private mayBegin(client: string): boolean {
    const started = this.started.get(client);
    if (started?.turn === this.turns && started.count >= PER_TURN) return false;
    const delayedUntilMs = this.delayedUntilMs.get(client);
    return delayedUntilMs === undefined || delayedUntilMs <= this.nowMs() || this.isAlone(client);
  }

  private isAlone(client: string): boolean {
    const { client: last, atMs, otherAtMs } = this.last;
    return this.nowMs() - (client === last ? otherAtMs : atMs) >= ALONE_AFTER_MS;
  }

  private begin(client: string, bytes: number): void {
    const started = this.started.get(client);
    if (!started) this.started.set(client, { turn: this.turns, count: 1 });
    else {
      started.count = started.turn === this.turns ? started.count + 1 : 1;
      started.turn = this.turns;
    }
    const otherAtMs = client === this.last.client ? this.last.otherAtMs : this.last.atMs;
    this.last = { client, atMs: this.nowMs(), otherAtMs };
    this.chargeBody(client, bytes);
    this.schedule();
  }

  private charge(client: string, ms: number): void {
    const now = this.nowMs();
    const untilMs = Math.max(this.delayedUntilMs.get(client) ?? 0, now) + ms;
    this.delayedUntilMs.set(client, Math.min(untilMs, now + MOST_DELAY_MS));
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.nextTurn());
  }

  private nextTurn(): void {
    this.isScheduled = false;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.turns += 1;
    if (this.started.size > MOST_KNOWN) this.started.clear();
    for (const [client, until] of this.delayedUntilMs) if (until <= this.nowMs()) this.delayedUntilMs.delete(client);
    for (const [client, queue] of this.waiting) {
      while (queue.length > 0 && this.mayBegin(client)) {
        const next = queue.shift();
        // A request with a closed connection does not count, but the endpoint must learn that it is over.
        if (next?.isWanted()) this.begin(client, next.bytes);
        next?.go();
      }
      if (queue.length === 0) this.waiting.delete(client);
    }
    if (this.waiting.size > 0) this.scheduleLater();
  }

  /** Waits for the first client whose delay ends, when all waiting clients are delayed. */
  private scheduleLater(): void {
    if (this.isScheduled) return;
    const paid = [...this.waiting.keys()].map((client) => this.delayedUntilMs.get(client) ?? 0);
    const waitMs = Math.min(Math.min(...paid) - this.nowMs(), ALONE_AFTER_MS);
    if (waitMs <= 0) return this.schedule();
    // Others may arrive meanwhile: their turns do not wait for this timer.
    this.timer = setTimeout(() => this.nextTurn(), waitMs);
  }
}
