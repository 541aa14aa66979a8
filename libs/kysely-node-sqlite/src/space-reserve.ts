import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Free space required to make a whole reserve, as a multiple of its size: the database needs room, too. */
const ROOM_FACTOR = 4;
/** The part of its size below which free space is too little to write something small. */
const LITTLE = 1 / 4;

/** Keeps a file that takes up disk space, which is freed when the disk is full. */
export class SpaceReserve {
  private isWhole = false;

  constructor(
    private readonly path: string,
    private readonly bytes: number,
  ) {}

  /** Whether so little is free that something small may not be written any more. */
  get isNeeded(): boolean {
    const isNeeded = this.freeBytes() < LITTLE * this.bytes;
    if (!isNeeded && !this.isWhole) this.fill();
    return isNeeded;
  }

  /** Makes the whole file while there is much room; otherwise leaves what there is. */
  fill(): void {
    const made = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    if (made < this.bytes && this.freeBytes() + made < ROOM_FACTOR * this.bytes) return;
    if (made < this.bytes) this.write(this.bytes);
    this.isWhole = true;
  }

  /**
   * Makes the file again, as large as the disk permits.
   * @param usable bytes that are free within the database: about as many stay free for the log of changes that use them
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
      // A file that was written only in part is of no use.
      this.empty();
    }
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.path));
    return bavail * bsize;
  }
}
