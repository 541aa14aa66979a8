import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.js';

/**
 * A plugin of esbuild. Of a CommonJS package, a bundle gives nothing but `default` to `import()`, where Node gives all names; with
 * the plugin it gives them, too, and so do entry points that are called `named:<package>`.
 */
export const namedExports = {
  name: 'named-exports',
  setup(bundle) {
    bundle.onResolve({ filter: /^named:/ }, ({ path }) => ({ path: path.slice('named:'.length), namespace: 'named' }));
    bundle.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind }) => {
      const isOfPackage = kind === 'dynamic-import' && !isBuiltin(path);
      return isOfPackage && (await exportsOf(path)) ? { path, namespace: 'named' } : undefined;
    });
    bundle.onLoad({ filter: /./, namespace: 'named' }, async ({ path }) => ({
      contents: await moduleOf(path, await bundle.resolve(path, { kind: 'import-statement', resolveDir: ROOT })),
      resolveDir: ROOT,
    }));
  },
};

/** Returns what Node exports of a package to `import`; undefined = it is not installed. */
const exportsOf = (name) => import(name).catch(() => undefined);

/** Returns a module that exports what Node exports of a package. `path` is the file of it that is bundled. */
async function moduleOf(name, { path }) {
  const found = await exportsOf(name);
  // Of some packages, what is bundled is a module that Node does not know of.
  const isOther = path !== fileURLToPath(import.meta.resolve(name));
  if (isOther || !('module.exports' in found)) {
    const hasDefault = isOther ? /\b(export|as) default\b/.test(await readFile(path, 'utf8')) : 'default' in found;
    return `export * from '${name}';\n${hasDefault ? `export { default } from '${name}';\n` : ''}`;
  }
  const isWord = (word) => /^[\w$]+$/.test(word) && !['default', '__esModule'].includes(word);
  const exported = Object.keys(found)
    .filter(isWord)
    .map((word, number) => `const v${number} = all.${word}; export { v${number} as ${word} };\n`);
  return `const all = require('${name}');\nexport default all;\n${exported.join('')}`;
}
