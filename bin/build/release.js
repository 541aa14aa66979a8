// node bin/build/release.js [folder]: writes a package for npm, agent-service-<version>.tgz, and its contents as a folder that
// Node 26 can run directly. Uses the current build; the default folder is release/.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { transformFile } from '@swc/core';
import { build } from 'esbuild';
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
await writeKit();
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
    exports: {
      './skill': { types: './skill.d.ts', default: './skill.js' },
      './skill-test': { types: './skill-test.d.ts', default: './skill-test.js' },
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
    optionalDependencies,
  };
}

/** Writes what authors of skill modules and of their tests import, with its types. */
async function writeKit() {
  const kit = 'libs/skill-host/src/kit';
  const jsc = { parser: { syntax: 'typescript' }, experimental: { emitIsolatedDts: true } };
  const { output } = await transformFile(join(ROOT, `${kit}.ts`), { swcrc: false, jsc });
  writeFileSync(join(release, 'skill.d.ts'), JSON.parse(output).__swc_isolated_declarations__);
  const entryPoints = [join(ROOT, `dist/${kit}.js`)];
  await build({ entryPoints, bundle: true, format: 'esm', outfile: join(release, 'skill.js'), tsconfigRaw: {} });
  cpSync(join(ROOT, 'src/features/modules/trial/skill-test.d.ts'), join(release, 'skill-test.d.ts'));
  const advice = 'Run tests of skill modules with: npx agent-service skill-test <file>';
  writeFileSync(
    join(release, 'skill-test.js'),
    `export function callSkill() {\n  throw new Error(${JSON.stringify(advice)});\n}\n`,
  );
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
