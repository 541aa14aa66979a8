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
  private readonly waiting: Waiting<User>[] = [];

  constructor(private readonly patienceMs: number) {}

  get holder(): User | null {
    return this.current;
  }

  /** Resolves when it is this user's turn. @throws SqliteBusy when the turn does not come in time */
  take(user: User): Promise<void> {
    if (this.current === null) {
      this.current = user;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting<User> = { user, begin: () => (clearTimeout(timer), setImmediate(resolve)) };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(new SqliteBusy(this.patienceMs));
      }, this.patienceMs);
      this.waiting.push(entry);
    });
  }

  /** Ends the turn of this user; does nothing when another user has the turn. */
  give(user: User): void {
    if (this.current !== user) return;
    const next = this.waiting.shift();
    this.current = next?.user ?? null;
    next?.begin();
  }
}
