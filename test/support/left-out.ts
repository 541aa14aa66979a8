import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program on this machine, or null. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/**
 * `describe` for tests that need a program. Without the program they are skipped with a message that says how to install it;
 * with REQUIRE_ALL=1 they fail instead.
 */
export function describeWith(program: string, title: string, tests: (path: string) => void): void {
  const path = findProgram(program);
  describeUnlessMissing({ program, path, getIt: `on Debian: apt-get install ${program}` }, title, tests);
}

interface Needed {
  program: string;
  /** The path of the program; null = not installed. */
  path: string | null;
  /** How to install it. */
  getIt: string;
}

/** `describeWith` for a program that is not looked up in the PATH. */
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
