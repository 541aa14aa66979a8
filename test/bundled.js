// Bundles what tests load again and again: Jest loads all files of all packages anew for each file of tests, and a service that
// runs as a process of its own loads a thousand.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { BUNDLING, bundleService } from '../bin/build/bundle.js';
import { filesIn, ROOT } from '../bin/build/files.js';
import { bundledFile, PACKAGES } from './resolve-bundled.js';

const SERVERS = join(ROOT, 'dist/bundled');
/** Packages that share classes with those that the service runs with. */
const FOR_TESTS = ['@nestjs/testing', 'express'];
/** Packages that read files from beside themselves, or are machine code. */
const LEFT_OUT = ['@cedar-policy/cedar-wasm', '@swc/core', 'jq-wasm'];
/** What its own package manager installs. */
const OTHER_PROJECTS = /^(libs\/admin-ui|libs\/app-views|test\/relevance\/documentation)\//;

/** Bundles what has changed. @throws Error */
export async function bundleForTests() {
  await Promise.all([bundlePackages(), bundleServers()]);
  await stop();
  process.env.SERVERS_ARE_BUNDLED = '1';
}

/** Bundles the packages that the service runs with to dist/packages, where `resolve-bundled.js` finds them. */
async function bundlePackages() {
  const names = importedNames();
  const madeOf = fingerprint(lockFile, names.join(' '));
  if (isMadeOf(PACKAGES, madeOf)) return;
  console.error(`Bundling ${names.length} packages for the tests`);
  rmSync(PACKAGES, { recursive: true, force: true });
  const nameOf = (file) => file.slice(PACKAGES.length + 1, -'.js'.length);
  const entryPoints = names.map((name) => ({ in: `named:${name}`, out: nameOf(bundledFile(name)) }));
  await build({ ...BUNDLING, entryPoints, outdir: PACKAGES });
  noteMadeOf(PACKAGES, madeOf);
}

/** Bundles the service as for a release, and the servers of tests, to dist/bundled, where `ServerProcess` finds them. */
async function bundleServers() {
  const madeOf = fingerprint(lockFile, ...['src', 'libs', 'test'].map((folder) => read(`dist/${folder}/.made-of`)));
  if (isMadeOf(SERVERS, madeOf)) return;
  console.error('Bundling the service for the tests');
  rmSync(SERVERS, { recursive: true, force: true });
  const more = [{ in: 'dist/test/run-crash/server.js', out: 'run-crash/server' }];
  await bundleService(SERVERS, { more, sourcemap: false });
  noteMadeOf(SERVERS, madeOf);
}

const read = (file) => readFileSync(join(ROOT, file), 'utf8');
const lockFile = read('package-lock.json');
const fingerprint = (...texts) => createHash('sha256').update(texts.join('\n')).digest('hex');
const noteIn = (folder) => join(folder, 'made-of');
const isMadeOf = (folder, madeOf) => existsSync(noteIn(folder)) && readFileSync(noteIn(folder), 'utf8') === madeOf;
const noteMadeOf = (folder, madeOf) => writeFileSync(noteIn(folder), madeOf);

/** Returns all names by which sources and tests import the packages, such as `kysely` and `kysely/migration`. */
function importedNames() {
  const { dependencies } = JSON.parse(read('package.json'));
  const packages = [...Object.keys(dependencies), ...FOR_TESTS].filter((name) => !LEFT_OUT.includes(name));
  const isOf = (name) => packages.some((one) => name === one || name.startsWith(`${one}/`));
  const sources = ['src', 'libs', 'test']
    .flatMap(filesIn)
    .filter((file) => file.endsWith('.ts') && !OTHER_PROJECTS.test(file.replaceAll('\\', '/')));
  const names = sources.flatMap((file) => {
    return [...read(file).matchAll(/(?:from|import|import\() ?'([^'.#][^']*)'/g)].map(([, name]) => name);
  });
  return [...new Set(names.filter(isOf))].sort();
}
