import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is on this machine, or null. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/**
 * `describe` for tests that need a program. Without it they are left out with one line that says how to get it, unless
 * REQUIRE_ALL=1 says that nothing may be left out.
 */
export function describeWith(program: string, title: string, tests: (path: string) => void): void {
  const path = findProgram(program);
  describeUnlessMissing({ program, path, getIt: `on Debian: apt-get install ${program}` }, title, tests);
}

interface Needed {
  program: string;
  /** Where it is; null = nowhere. */
  path: string | null;
  /** How one gets it. */
  getIt: string;
}

/** `describeWith` for a program that is not found like others. */
export function describeUnlessMissing(
  { program, path, getIt }: Needed,
  title: string,
  tests: (path: string) => void,
): void {
  if (path !== null) return describe(title, () => tests(path));
  if (process.env['REQUIRE_ALL'] === '1') {
    return describe(title, () => {
      it(`needs ${program}`, () => {
        throw new Error(`${program} is not installed, and REQUIRE_ALL=1 leaves nothing out`);
      });
    });
  }
  process.stderr.write(`Left out: "${title}" needs ${program}; ${getIt}\n`);
  describe.skip(title, () => tests(program));
}
