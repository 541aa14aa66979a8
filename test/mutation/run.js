// npm run mutation -- <path>...: changes the code below these paths, and looks whether the unit tests notice.
import { spawnSync } from 'node:child_process';
import { ROOT } from '../../bin/build/files.js';
import { install } from '../../bin/build/packages.js';

const PARTS = [
  'libs/mcp-http/src',
  'src/core/skills',
  'src/access/policy',
  'src/access/clients',
  'src/platform/config',
];

await install(['test/mutation']);
const parts = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutation/stryker.config.js'],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, MUTATED: (parts.length > 0 ? parts : PARTS).join() } },
);
process.exitCode = status ?? 1;
