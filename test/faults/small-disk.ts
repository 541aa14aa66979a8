import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  path: string;
  release: () => void;
}

/** Mounts a disk that is small enough to fill up. Null where this user may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', path], { stdio: 'ignore' });
  } catch (error) {
    rmSync(path, { recursive: true });
    if (process.env['REQUIRE_ALL'] === '1') throw error;
    console.error('Left out: tests with a full disk; they need the right to mount one (root, on Linux)');
    return null;
  }
  const release = () => {
    execFileSync('umount', ['-l', path], { stdio: 'ignore' });
    rmSync(path, { recursive: true });
  };
  return { path, release };
}
