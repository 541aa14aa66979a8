import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, ROOT } from '../bin/build/files.js';

/**
 * Where the groups are written. A group is a file that imports several test files, which then load the modules that they share once:
 * that is most of what short tests cost.
 */
export const GROUPS = 'dist/groups';
const TESTS = /\.(spec|e2e-spec)\.ts$/;
/** Size of the test files of a group: all workers shall be busy until the end. */
const MOST_BYTES = 60_000;
const MOST_FILES = 12;

/**
 * What takes long is first, so that all workers are busy until the end: tests that drive a browser or keep a core busy otherwise,
 * then those that start the service, then the contracts of stores and engines, then all others. The first ones have those beside
 * them that mostly wait.
 */
const BUSY = /^test\/(browser|rules-cost)\/|(-cost|young-objects)\.spec\.ts$/;
const WAITING = /(crash|durability|faults|issuer|lifecycle|restarts)\.e2e-spec\.ts$/;
const KINDS = [/\.e2e-spec\.ts$/, /^test\/|-engine\.spec\.ts$/, /./];
/** So many wait beside each that keeps a core busy. */
const BESIDE = 2;

/** Writes the groups of all test files at or below some paths; their names are in the order in which they are to run. */
export function writeGroups(paths) {
  rmSync(join(ROOT, GROUPS), { recursive: true, force: true });
  mkdirSync(join(ROOT, GROUPS), { recursive: true });
  const isChosen = (file) => TESTS.test(file) && paths.some((path) => file.startsWith(path));
  const files = ['src', 'libs', 'test'].flatMap(filesIn).filter(isChosen);
  for (const [index, group] of ordered(files).entries()) {
    const name = `${String(index).padStart(3, '0')}-${placeOf(group[0]).replaceAll('/', '-')}.group.js`;
    writeFileSync(join(ROOT, GROUPS, name), group.map((path) => `import '../../${path}';\n`).join(''));
  }
}

function ordered(files) {
  const {
    busy = [],
    waiting = [],
    others = [],
  } = Object.groupBy(files, (path) => (BUSY.test(path) ? 'busy' : WAITING.test(path) ? 'waiting' : 'others'));
  const beside = longestFirst(waiting.map((path) => [path]));
  const first = longestFirst(busy.map((path) => [path])).flatMap((group) => [group, ...beside.splice(0, BESIDE)]);
  const kinds = Object.values(Object.groupBy(others, (path) => KINDS.findIndex((kind) => kind.test(path))));
  return [...first, ...beside, ...kinds.flatMap((ofKind) => longestFirst(groupsOf(ofKind)))];
}

/** Groups files of the same place in the tree, which share most modules. */
function groupsOf(files) {
  const groups = [];
  for (const ofPlace of Object.values(Object.groupBy(files, placeOf))) {
    let bytes = Infinity;
    for (const path of ofPlace) {
      bytes += sizeOf(path);
      if (bytes > MOST_BYTES || groups.at(-1).length >= MOST_FILES) {
        groups.push([]);
        bytes = sizeOf(path);
      }
      groups.at(-1).push(path);
    }
  }
  return groups;
}

/** Returns a part of the tree: a folder of src or test, a feature, or a library. */
function placeOf(path) {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, path.startsWith('src/features/') ? 3 : 2).join('/');
}

const sizeOf = (path) => statSync(join(ROOT, path)).size;
const bytesOf = (group) => group.reduce((bytes, path) => bytes + sizeOf(path), 0);
const longestFirst = (groups) => groups.toSorted((one, other) => bytesOf(other) - bytesOf(one));
