// npm test [paths, or other arguments of Jest]: installs the packages for the tests, and runs them.
import { join } from 'node:path';
import { ready } from './build/ready.js';
import { root } from './launch.js';
import { runOnOwnNode } from './own-node.js';

await ready('.', 'libs/admin-ui', 'libs/app-views', 'restate', 'test/browser', 'test/restarts');
let args = process.argv.slice(2);
const isOption = (arg) => arg.startsWith('-');
const paths = args.filter((arg) => !isOption(arg));
// All tests, and those of folders, run in groups; single files do not.
if (paths.length === 0 || paths.some((path) => path.endsWith('/'))) {
  process.env.TEST_GROUPS_OF = paths.join(' ');
  args = args.filter(isOption);
}
const jest = join(root, 'node_modules/jest/bin/jest.js');
await runOnOwnNode(root, ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...args]);
