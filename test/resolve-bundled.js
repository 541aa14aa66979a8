import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where packages are bundled for the tests. */
export const PACKAGES = join(import.meta.dirname, '../dist/packages');

/** Returns the file of what is imported by a name. */
export const bundledFile = (name) => join(PACKAGES, `${name.replaceAll('/', '+')}.js`);

/** Finds for Jest what is imported; what sources and tests import from packages is found where it is bundled. */
export default function resolveBundled(name, options) {
  const isPackage = /^[@a-z]/.test(name) && !name.startsWith('node:');
  if (isPackage && options.conditions?.includes('import') && !options.basedir.includes('node_modules')) {
    const file = bundledFile(name);
    if (existsSync(file)) return file;
  }
  return options.defaultResolver(name, options);
}
