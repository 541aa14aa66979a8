// node bin/build/release.js [folder]: packs everything that is built into agent-service-<version>.tgz, in the folder or in release/. It runs
// after `npm ci --omit=dev` with `npm start`.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { argv } from 'node:process';
import { ROOT } from './files.js';

const CONTENTS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'deploy',
  'docs',
  'workflows',
  'bin/command.js',
  'bin/launch.js',
  'bin/slim-node.js',
  'bin/start.js',
  'dist/src',
  'dist/libs',
  'libs/admin-ui/dist',
  'libs/app-views/dist',
  'libs/no-phone-numbers',
  'embeddings/package.json',
  'embeddings/package-lock.json',
];

const missing = ['dist/src/main.js', 'libs/admin-ui/dist/index.html', 'libs/app-views/dist/run.html'].find(
  (file) => !existsSync(join(ROOT, file)),
);
if (missing) {
  console.error(`There is no ${missing}: npm run release builds and packs.`);
  process.exit(1);
}
const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const release = `${name}-${version}`;
const archive = resolve(argv[2] ?? join(ROOT, 'release'), `${release}.tgz`);
const beside = mkdtempSync(join(tmpdir(), 'release-'));
try {
  for (const path of CONTENTS) {
    const isPacked = (file) => basename(file) !== '.made-of';
    cpSync(join(ROOT, path), join(beside, release, path), { recursive: true, filter: isPacked });
  }
  mkdirSync(resolve(archive, '..'), { recursive: true });
  const { status } = spawnSync('tar', ['-czf', archive, '-C', beside, release], { stdio: 'inherit' });
  if (status !== 0) throw new Error('tar failed');
  console.log(archive);
} finally {
  rmSync(beside, { recursive: true });
}
