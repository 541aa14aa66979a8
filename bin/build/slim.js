// Runs after `npm ci`: removes what the packages bring and nothing here uses, a hundred megabytes. This only saves space, so the
// install succeeds even if it fails.
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
  // There are no packages, or no permission to delete: then all of it stays.
}
