import { PARTITIONS } from '../../runs/execution/claimed-run.js';
import { Ownership } from './ownership.js';

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** Owns everything: for the embedded database, whose folder one process of the service has for itself. */
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
    // Nobody takes or leaves anything.
  }

  onLost(): void {
    // It never is.
  }

  async close(): Promise<void> {
    // It is ours until the process ends.
  }
}
