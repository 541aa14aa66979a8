import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arePagesOutdated, buildPages } from '../bin/build/pages.js';
import { transpile } from '../bin/build/transpile.js';
import { bundleForTests } from './bundled.js';

/** Before all tests: builds the service, which some run as a process of its own, and the UI, and starts a PostgreSQL where there is one. */
export default async function prepare() {
  await transpile('src', 'libs', 'test');
  await bundleForTests();
  if (process.env.ONLY_SQLITE === '1') return console.error('Left out: all but SQLite (ONLY_SQLITE=1)');
  if (arePagesOutdated()) await buildUi();
  if (!process.env.TEST_POSTGRES_URL) await startPostgres();
}

/** Only the tests in a browser look at the pages. */
async function buildUi() {
  try {
    await buildPages();
  } catch (error) {
    if (process.env.REQUIRE_ALL === '1') throw error;
    console.error(`The administration pages could not be built: ${error.message}`);
  }
}

async function startPostgres() {
  const programs = findPrograms();
  if (!programs) {
    if (process.env.REQUIRE_ALL === '1')
      throw new Error('PostgreSQL is not installed, and REQUIRE_ALL=1 leaves nothing out');
    console.error('Left out: tests on PostgreSQL; on Debian: apt-get install postgresql');
    return;
  }
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? postgresUser() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  // It is one of those that were just transpiled.
  const { freePort } = await import('../dist/test/harness/free-port.js');
  const port = await freePort();
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=500', // of the replicas of several test files at once
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    options,
  );
  globalThis.__POSTGRES__ = { server, folder };
  process.env.TEST_POSTGRES_URL = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await answering(join(programs, 'pg_isready'), port, server);
}

function findPrograms() {
  const versions = '/usr/lib/postgresql';
  const candidates = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  const onPath = (process.env.PATH ?? '').split(':');
  return [...candidates, ...onPath].find((folder) => existsSync(join(folder, 'initdb')));
}

function postgresUser() {
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function answering(probe, port, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start');
    try {
      return execFileSync(probe, ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
