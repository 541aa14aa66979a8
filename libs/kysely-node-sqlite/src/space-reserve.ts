import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Free space required to make a reserve, as a multiple of its size; with less, it would take room that the database
 * needs.
 */
const ROOM_FACTOR = 4;

/** Keeps a file that takes up disk space, which is freed when the disk is full. */
export class SpaceReserve {
  constructor(
    private readonly path: string,
    private readonly bytes: number,
  ) {}

  /** Makes the file, if it is missing; does nothing while there is too little room. */
  fill(): void {
    try {
      const { bavail, bsize } = statfsSync(dirname(this.path));
      if (bavail * bsize < ROOM_FACTOR * this.bytes) return;
      writeFileSync(this.path, Buffer.alloc(this.bytes), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // A file that already exists is as good as a new one; a file that was written only in part is of no use.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) this.empty();
    }
  }

  empty(): void {
    rmSync(this.path, { force: true });
  }
}
