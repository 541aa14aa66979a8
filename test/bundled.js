// Bundles what tests load again and again: Jest loads all files of all packages anew for each file of tests, and a service that
// runs as a process of its own loads a thousand.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLING, bundleService } from '../bin/build/bundle.js';
import { filesIn, ROOT } from '../bin/build/files.js';
import { bundledFile, PACKAGES } from './resolve-bundled.js';

/** Packages that share classes with those that the service runs with. */
const FOR_TESTS = ['@nestjs/testing', 'express'];
/** Packages that read files from beside themselves. */
const LEFT_OUT = ['@cedar-policy/cedar-wasm', 'jq-wasm'];
/** What its own package manager installs. */
const OTHER_PROJECTS = /^(libs\/admin-ui|libs\/app-views|test\/relevance\/documentation)\//;

/** Bundles the service as for a release, and the servers of tests, to dist/bundled, where `ServerProcess` finds them. @throws Error */
export async function bundleServers() {
  await bundleService(join(ROOT, 'dist/bundled'), [{ in: 'dist/test/run-crash/server.js', out: 'run-crash/server' }]);
  process.env.SERVERS_ARE_BUNDLED = '1';
}

/** Bundles the packages that the service runs with to dist/packages, if others are there or none. @throws Error */
export async function bundlePackages() {
  const names = importedNames();
  const lock = readFileSync(join(ROOT, 'package-lock.json'));
  const madeOf = createHash('sha256').update(lock).update(names.join(' ')).digest('hex');
  const note = join(PACKAGES, 'made-of');
  if (existsSync(note) && readFileSync(note, 'utf8') === madeOf) return;
  console.error(`Bundling ${names.length} packages for the tests`);
  rmSync(PACKAGES, { recursive: true, force: true });
  const nameOf = (file) => file.slice(PACKAGES.length + 1, -'.js'.length);
  const entryPoints = names.map((name) => ({ in: `named:${name}`, out: nameOf(bundledFile(name)) }));
  await build({ ...BUNDLING, entryPoints, outdir: PACKAGES });
  writeFileSync(note, madeOf);
}

/** Returns all names by which sources and tests import the packages, such as `kysely` and `kysely/migration`. */
function importedNames() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packages = [...Object.keys(dependencies), ...FOR_TESTS].filter((name) => !LEFT_OUT.includes(name));
  const isOf = (name) => packages.some((one) => name === one || name.startsWith(`${one}/`));
  const sources = ['src', 'libs', 'test']
    .flatMap(filesIn)
    .filter((file) => file.endsWith('.ts') && !OTHER_PROJECTS.test(file.replaceAll('\\', '/')));
  const names = sources.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...text.matchAll(/(?:from|import|import\() ?'([^'.#][^']*)'/g)].map(([, name]) => name);
  });
  return [...new Set(names.filter(isOf))].sort();
}
