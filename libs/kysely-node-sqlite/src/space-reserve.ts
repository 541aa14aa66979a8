import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** With less than so many times the reserve free, making one would take the last room from the database. */
const ROOM_FACTOR = 4;

/** A file that takes up room beside the database, so that there is some to give when the disk is full. */
export class SpaceReserve {
  constructor(
    private readonly path: string,
    private readonly bytes: number,
  ) {}

  /** Does nothing while there is no room for it. */
  fill(): void {
    try {
      const { bavail, bsize } = statfsSync(dirname(this.path));
      if (bavail * bsize < ROOM_FACTOR * this.bytes) return;
      writeFileSync(this.path, Buffer.alloc(this.bytes), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // One that is there already is what is wanted; a part of one would be of no use.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) this.empty();
    }
  }

  empty(): void {
    rmSync(this.path, { force: true });
  }
}
