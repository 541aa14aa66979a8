// Runs after `npm ci`: removes unused parts of packages, a hundred megabytes. The installation succeeds even if this fails, because it
// only saves space.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const UNUSED = ['@cedar-policy/cedar-wasm/web', '@mixmark-io/domino/test', 'class-validator/bundles', 'zod/src'];

const packages = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules');
try {
  const isNode = (name) => /^node-(bin-)?(darwin|linux|win)-/.test(name);
  // The C++ headers of Node, which only native addons would need.
  const headers = readdirSync(packages)
    .filter(isNode)
    .map((name) => join(name, 'include'));
  for (const folder of [...UNUSED, ...headers]) rmSync(join(packages, folder), { recursive: true, force: true });
} catch {
  // There are no packages, or there is no permission to delete them.
}
