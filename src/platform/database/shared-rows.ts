import { SerialQueue } from '../periodic/serial-queue.js';

interface Handlers {
  /** Reads the rows again; returns the names of those that have changed. */
  read: () => Promise<string[]>;
  /** Announces what this replica has changed. */
  onOwnChange: (names: string[]) => Promise<unknown>;
  /** Announces what another replica has changed, which notifies the clients. */
  onOthersChange: (names: string[]) => void;
}

/** Rows of which each replica keeps a copy. Changes and reloads take turns: a reload in between would take a change for another replica's. */
export class SharedRows {
  private readonly turns = new SerialQueue();

  constructor(private readonly handlers: Handlers) {}

  /** Makes a change, reads the rows again, and announces what has changed. */
  async change<Outcome>(make: () => Promise<Outcome>): Promise<Outcome> {
    const { read, onOwnChange } = this.handlers;
    const { outcome, names } = await this.turns.run(async () => ({ outcome: await make(), names: await read() }));
    if (names.length > 0) await onOwnChange(names);
    return outcome;
  }

  async reload(): Promise<void> {
    const { read, onOthersChange } = this.handlers;
    const names = await this.turns.run(read);
    if (names.length > 0) onOthersChange(names);
  }
}
