import { SqliteBusy } from './node-sqlite.errors.js';

interface Waiting<User> {
  user: User;
  begin: () => void;
}

/**
 * Gives a single resource to one user at a time, in the order in which they asked. Other work of the process is done
 * between the turns of two users.
 */
export class Turns<User extends object> {
  private current: User | null = null;
  private heldSinceMs = 0;
  private readonly waiting: Waiting<User>[] = [];

  /** @param patienceMs how long others wait for a user that keeps the turn */
  constructor(private readonly patienceMs: number) {}

  get holder(): User | null {
    return this.current;
  }

  /**
   * Resolves when it is this user's turn, however many are before it.
   * @throws SqliteBusy when another user keeps the turn for too long meanwhile
   */
  take(user: User): Promise<void> {
    if (this.current === null) {
      this.hold(user);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting<User> = { user, begin: () => (clearTimeout(timer), setImmediate(resolve)) };
      const lookAgain = () => {
        const restMs = this.heldSinceMs + this.patienceMs - performance.now();
        if (restMs > 0) return void (timer = setTimeout(lookAgain, restMs));
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(new SqliteBusy(this.patienceMs));
      };
      let timer = setTimeout(lookAgain, this.patienceMs);
      this.waiting.push(entry);
    });
  }

  /** Ends the turn of this user; does nothing when another user has the turn. */
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
