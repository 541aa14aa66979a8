// node bin/build/release.js [folder]: writes a package for npm, agent-service-<version>.tgz, and its contents as a folder that
// Node 26 can run directly. Uses the current build; the default folder is release/.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { bundle } from './bundle.js';
import { ROOT } from './files.js';

const CONTENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'SECURITY.md',
  'bench/RESULTS.md',
  'bin/add.js',
  'bin/agent-service.js',
  'bin/build/files.js',
  'bin/build/packages.js',
  'bin/command-line.js',
  'bin/launch.js',
  'bin/own-node.js',
  'bin/start.js',
  'deploy',
  'docs',
  'libs/admin-ui/dist',
  'libs/app-views/dist',
  'samples',
  'workflows',
  'embeddings/package.json',
  'embeddings/package-lock.json',
  'restate/package.json',
  'restate/package-lock.json',
];

const missing = ['dist/src/main.js', 'libs/admin-ui/dist/index.html', 'libs/app-views/dist/run.html'].find(
  (file) => !existsSync(join(ROOT, file)),
);
if (missing) {
  console.error(`There is no ${missing}: npm run release builds and packs.`);
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const name = `${manifest.name}-${manifest.version}`;
const target = resolve(argv[2] ?? join(ROOT, 'release'));
const release = join(target, name);
rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });

for (const path of CONTENTS) cpSync(join(ROOT, path), join(release, path), { recursive: true });
await bundle(release);
writeFileSync(join(release, 'package.json'), `${JSON.stringify(packageOf(manifest), null, 2)}\n`);
pack();
console.log(release);
console.log(`${release}.tgz`);

function packageOf({ name, version, description, license, type, optionalDependencies }) {
  return {
    name,
    version,
    description,
    license,
    type,
    bin: { [name]: 'bin/agent-service.js' },
    engines: { node: '>=20' },
    optionalDependencies,
  };
}

/** Packs the folder as npm does, under the name "package". */
function pack() {
  const folder = join(target, 'package');
  rmSync(folder, { recursive: true, force: true });
  renameSync(release, folder);
  const { status } = spawnSync('tar', ['-czf', `${release}.tgz`, '-C', target, 'package'], { stdio: 'inherit' });
  renameSync(folder, release);
  if (status !== 0) throw new Error('tar failed');
}
