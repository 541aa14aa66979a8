/** How many requests of one client begin in one turn of the event loop. */
const PER_TURN = 2;
/** How much longer than its work a large body keeps the next requests of its client waiting. */
const BYTES_PER_MS = 20_000;
/** Bodies up to this size cost about as much as none. */
const FREE_BYTES = 65_536;
/** How long a client waits for each of its refused requests, when it continues without waiting. */
const REFUSAL_MS = 5;
/** No client owes more, so that none is locked out. */
const MOST_OWED_MS = 5_000;
/** Whoever is alone for so long need not wait for what it owes: there is nobody to be fair to. */
const ALONE_AFTER_MS = 1_000;

/** Beyond this many, clients are forgotten from one turn to the next. */
const MOST_KNOWN = 1_000;

/** A request that is to begin. */
interface Beginning {
  /** Size of its body, as far as it is announced. */
  bytes: number;
  /** Whether its connection is still open. */
  isWanted: () => boolean;
}

interface Waiting extends Beginning {
  go: () => void;
}

/**
 * Lets requests begin in turn: a few of each client in each turn of the event loop, before any of their body is read. So the
 * requests of one client wait for few of another, however many that one sends. Who has sent a large body, or was refused,
 * waits a while for its next turn.
 */
export class FairQueue {
  /** How many requests of each client have begun in the turn of the event loop in which it began one last. */
  private readonly begun = new Map<string, { turn: number; count: number }>();
  private turns = 0;
  private readonly waiting = new Map<string, Waiting[]>();
  /** Until when the clients have paid for what they made the service do. */
  private readonly owedUntilMs = new Map<string, number>();
  /** Who began last, and when another one did. */
  private last = { client: '', atMs: -Infinity, otherAtMs: -Infinity };
  private isScheduled = false;
  private timer: NodeJS.Timeout | null = null; // null = nobody waits for having paid alone

  constructor(private readonly nowMs = () => performance.now()) {}

  /**
   * Returns whether the request may begin, at once or when its turn comes: not when its client has `most` waiting already.
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

  /** Makes a client wait because one of its requests was refused. */
  chargeRefusal(client: string): void {
    this.charge(client, REFUSAL_MS);
  }

  /** Makes a client wait because of a body whose size it did not announce. */
  chargeBody(client: string, bytes: number): void {
    if (bytes > FREE_BYTES) this.charge(client, bytes / BYTES_PER_MS);
  }

  private mayBegin(client: string): boolean {
    const begun = this.begun.get(client);
    if (begun?.turn === this.turns && begun.count >= PER_TURN) return false;
    const owedUntilMs = this.owedUntilMs.get(client);
    return owedUntilMs === undefined || owedUntilMs <= this.nowMs() || this.isAlone(client);
  }

  private isAlone(client: string): boolean {
    const { client: last, atMs, otherAtMs } = this.last;
    return this.nowMs() - (client === last ? otherAtMs : atMs) >= ALONE_AFTER_MS;
  }

  private begin(client: string, bytes: number): void {
    const begun = this.begun.get(client);
    if (!begun) this.begun.set(client, { turn: this.turns, count: 1 });
    else {
      begun.count = begun.turn === this.turns ? begun.count + 1 : 1;
      begun.turn = this.turns;
    }
    const otherAtMs = client === this.last.client ? this.last.otherAtMs : this.last.atMs;
    this.last = { client, atMs: this.nowMs(), otherAtMs };
    this.chargeBody(client, bytes);
    this.schedule();
  }

  private charge(client: string, ms: number): void {
    const now = this.nowMs();
    const owed = Math.max(this.owedUntilMs.get(client) ?? 0, now) + ms;
    this.owedUntilMs.set(client, Math.min(owed, now + MOST_OWED_MS));
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
    if (this.begun.size > MOST_KNOWN) this.begun.clear();
    for (const [client, until] of this.owedUntilMs) if (until <= this.nowMs()) this.owedUntilMs.delete(client);
    for (const [client, queue] of this.waiting) {
      while (queue.length > 0 && this.mayBegin(client)) {
        const next = queue.shift();
        // Nobody waits any more for one whose connection is closed, but the endpoint has to be told.
        if (next?.isWanted()) this.begin(client, next.bytes);
        next?.go();
      }
      if (queue.length === 0) this.waiting.delete(client);
    }
    if (this.waiting.size > 0) this.scheduleLater();
  }

  /** Waits for the first client that has paid, when there are only such as have not. */
  private scheduleLater(): void {
    if (this.isScheduled) return;
    const paid = [...this.waiting.keys()].map((client) => this.owedUntilMs.get(client) ?? 0);
    const waitMs = Math.min(Math.min(...paid) - this.nowMs(), ALONE_AFTER_MS);
    if (waitMs <= 0) return this.schedule();
    // Others may come meanwhile: their turns do not wait for this.
    this.timer = setTimeout(() => this.nextTurn(), waitMs);
  }
}
