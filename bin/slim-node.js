// After `npm ci`: removes the C++ headers from the Node that came with it, 67 MB which only building native addons would need. It is
// an economy and no more: whatever stands in its way, the install succeeds.
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
  // No packages, or no rights: then the headers stay.
}
