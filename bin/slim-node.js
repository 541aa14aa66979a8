// Runs after `npm ci`: removes the C++ headers of the Node that it installed, 67 MB that only native addons would need. This only saves
// space, so the install succeeds even if it fails.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../node_modules');
try {
  for (const name of readdirSync(packages)) {
    if (/^node-(bin-)?(darwin|linux|win)-/.test(name))
      rmSync(join(packages, name, 'include'), { recursive: true, force: true });
  }
} catch {
  // There are no packages, or no permission to delete: then the headers stay.
}
