import { SqliteBusy } from './node-sqlite.errors.js';

interface Waiting<User> {
  user: User;
  begin: () => void;
}

/** Gives a resource to one user at a time, first come, first served. Yields to the event loop between two users. */
export class Turns<User extends object> {
  private current: User | null = null;
  private heldSinceMs = 0;
  private readonly waiting: Waiting<User>[] = [];

  /** @param patienceMs how long users wait for another one that keeps its turn */
  constructor(private readonly patienceMs: number) {}

  get holder(): User | null {
    return this.current;
  }

  /**
   * Resolves when it is this user's turn, however many are queued before it.
   * @throws SqliteBusy when another user keeps its turn for too long meanwhile
   */
  take(user: User): Promise<void> {
    if (this.current === null) {
      this.hold(user);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting<User> = { user, begin: () => (clearTimeout(timer), setImmediate(resolve)) };
      const checkAgain = () => {
        const restMs = this.heldSinceMs + this.patienceMs - performance.now();
        if (restMs > 0) return void (timer = setTimeout(checkAgain, restMs));
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(new SqliteBusy(this.patienceMs));
      };
      let timer = setTimeout(checkAgain, this.patienceMs);
      this.waiting.push(entry);
    });
  }

  /** Ends this user's turn; does nothing when another user has the turn. */
  give(user: User): void {
    if (this.current !== user) return;
    const next = this.waiting.shift();
    this.hold(next?.user ?? null);
    next?.begin();
  }

  private hold(user: User | null): void {
    this.current = user;
    this.heldSinceMs = performance.now();
  }
}
