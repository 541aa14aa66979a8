// Installs the programs that npm run clients tries. What cannot be installed here is left out, and the report names it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../bin/build/files.js';
import { npmInstallLocked } from '../../bin/build/packages.js';

const folder = join(ROOT, 'test/client-programs');
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
const wanted = Object.entries(read(join(folder, 'package.json')).optionalDependencies);
const isThere = ([name, version]) => read(join(folder, 'node_modules', name, 'package.json')).version === version;

if (!wanted.every(isThere)) await npmInstallLocked(folder).done.catch((error) => console.error(error.message));
