import { PARTITIONS } from '../../runs/execution/claimed-run.js';
import { Ownership } from './ownership.js';

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** Owns all partitions: for the embedded database, whose folder belongs to a single process. */
export class SoleOwnership extends Ownership {
  owned(): readonly number[] {
    return ALL;
  }

  isLeaving(): boolean {
    return false;
  }

  partitionForNew(): number {
    return 0;
  }

  async refresh(): Promise<void> {
    // There is nothing to take or give up.
  }

  onLost(): void {
    // All partitions stay owned.
  }

  async close(): Promise<void> {
    // Owned until the process ends.
  }
}
