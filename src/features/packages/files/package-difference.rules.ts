import type { ListedFile } from './package.js';

export interface FileDifference {
  path: string;
  change: 'added' | 'removed' | 'changed';
}

/** Returns the files that differ between two versions, ordered by path. */
export function differencesOf(before: readonly ListedFile[], after: readonly ListedFile[]): FileDifference[] {
  const old = new Map(before.map(({ path, digest }) => [path, digest]));
  const kept = new Set(after.map(({ path }) => path));
  const differences: FileDifference[] = [
    ...after.flatMap(({ path, digest }): FileDifference[] => {
      const known = old.get(path);
      return known === digest ? [] : [{ path, change: known === undefined ? 'added' : 'changed' }];
    }),
    ...before.flatMap(({ path }): FileDifference[] => (kept.has(path) ? [] : [{ path, change: 'removed' }])),
  ];
  return differences.sort((one, other) => (one.path < other.path ? -1 : 1));
}
