// node bin/build/tool.js <package> [arguments]: runs a program of tools/package.json, after installing it if it is missing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execPath } from 'node:process';
import { ROOT } from './files.js';
import { install } from './packages.js';

const [, , name, ...args] = argv;
// The tools also read sources that import these packages.
await install(['.', 'tools', 'libs/admin-ui', 'libs/app-views', 'restate', 'test/browser', 'test/restarts']);
const folder = join(ROOT, 'tools/node_modules', name);
const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const program = join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
const { status } = spawnSync(execPath, [program, ...args], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
