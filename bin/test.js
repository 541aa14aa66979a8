// npm test [arguments of Jest]: installs the packages for the tests, and runs them.
import { join } from 'node:path';
import { ready } from './build/ready.js';
import { root } from './launch.js';
import { runOnOwnNode } from './own-node.js';

await ready('.', 'libs/admin-ui', 'libs/app-views', 'restate', 'test/browser', 'test/restarts');
const jest = join(root, 'node_modules/jest/bin/jest.js');
await runOnOwnNode(root, [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  jest,
  ...process.argv.slice(2),
]);
