import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Free space required to create a full reserve, as a multiple of its size: the database needs room, too. */
const ROOM_FACTOR = 4;
/** Fraction of the reserve size below which free space does not suffice for small writes. */
const LITTLE = 1 / 4;

/** Occupies disk space with a file, and deletes it when the disk is full. */
export class SpaceReserve {
  private isWhole = false;

  constructor(
    private readonly path: string,
    private readonly bytes: number,
  ) {}

  /** True when so little space is free that even small writes may fail. */
  get isNeeded(): boolean {
    const isNeeded = this.freeBytes() < LITTLE * this.bytes;
    if (!isNeeded && !this.isWhole) this.fill();
    return isNeeded;
  }

  /** Creates the full reserve if there is enough room; otherwise leaves it as it is. */
  fill(): void {
    const made = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    if (made < this.bytes && this.freeBytes() + made < ROOM_FACTOR * this.bytes) return;
    if (made < this.bytes) this.write(this.bytes);
    this.isWhole = true;
  }

  /**
   * Recreates the file, as large as the disk permits.
   * @param usable free bytes within the database: about as many stay free on the disk for the WAL of changes that use them
   */
  refill(usable: number): void {
    const bytes = this.freeBytes() - Math.min(usable, LITTLE * this.bytes);
    this.isWhole = bytes >= this.bytes;
    this.write(Math.min(Math.floor(bytes), this.bytes));
  }

  empty(): void {
    rmSync(this.path, { force: true });
  }

  private write(bytes: number): void {
    try {
      if (bytes > 0) writeFileSync(this.path, Buffer.alloc(bytes), { mode: 0o600 });
    } catch {
      // A partly written file is useless.
      this.empty();
    }
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.path));
    return bavail * bsize;
  }
}
