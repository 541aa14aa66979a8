import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { ROOT } from './files.js';

const REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/** The metadata of a parameter with a type of Express. It would access the global of the same name, which loads fetch. */
const TYPE_OF_EXPRESS = /typeof (Request|Response) === "undefined" \? Object : \1/g;

/**
 * A plugin of esbuild that loads packages as Node does.
 *
 * - `import()` returns all exports, where a bundle returns only `default`; so do entry points named `named:<package>`.
 * - Packages that are required by a function of `createRequire` are bundled, instead of being searched in `node_modules` at run time.
 * - node:http loads fetch on first use only: importing anything else of it does not load fetch.
 */
export const likeNode = {
  name: 'like-node',
  setup(bundle) {
    bundle.onLoad(
      { filter: /[\\/]node_modules[\\/]@nestjs[\\/](mapped-types|terminus)[\\/].*\.js$/ },
      async ({ path }) => {
        const text = await readFile(path, 'utf8');
        return REQUIRE.test(text) ? { contents: text.replace(REQUIRE, '') } : undefined;
      },
    );
    bundle.onLoad({ filter: /[\\/]dist[\\/]src[\\/].*\.controller\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(TYPE_OF_EXPRESS, 'Object'),
    }));
    bundle.onResolve({ filter: /^named:/ }, ({ path }) => ({ path: path.slice('named:'.length), namespace: 'named' }));
    bundle.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind }) => {
      const isOfPackage = kind === 'dynamic-import' && !isBuiltin(path);
      return isOfPackage && (await exportsOf(path)) ? { path, namespace: 'named' } : undefined;
    });
    bundle.onResolve({ filter: /^(node:)?http$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'built-in' } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
    bundle.onLoad({ filter: /./, namespace: 'named' }, async ({ path }) => ({
      contents: moduleOf(path, await exportsOf(path)),
      resolveDir: ROOT,
    }));
  },
};

/** Returns the exports of a package as Node's `import` sees them; undefined = it is not installed. */
const exportsOf = (name) => import(name).catch(() => undefined);

/** Returns the code of a module that exports the same as the package does in Node. */
function moduleOf(name, exported) {
  const names = Object.keys(exported).filter((word) => /^[\w$]+$/.test(word) && word !== '__esModule');
  if (!('module.exports' in exported)) return `export { ${names.join(', ')} } from '${name}';`;
  const constants = names
    .filter((word) => word !== 'default')
    .map((word, number) => `const v${number} = all.${word}; export { v${number} as ${word} };\n`);
  return `const all = require('${name}');\nexport default all;\n${constants.join('')}`;
}
