// Bundles dist/src, the output of `bin/build/transpile.js`, into files that need no packages.
import { build } from 'esbuild';
import { likeNode } from './like-node.js';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { filesIn, ROOT } from './files.js';

/** Files that modules read from their own folder. */
const ASSETS = [
  { of: 'node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js', file: 'cedar_wasm_bg.wasm' },
  { of: 'node_modules/jq-wasm/dist/index.mjs', file: 'build/jq.wasm' },
];
/** Optional packages of dependencies, which are not installed. */
const ABSENT = ['@nestjs/microservices', '@nestjs/websockets', '@fastify/static', 'class-transformer/storage'];
/** Variables that CommonJS packages use, and ES modules lack. */
const COMMON_JS = `import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url),bundleFolder=import.meta.dirname;`;

/** Statements such as __name(save,"save"); */
const SAME_NAME = /(?<=[;{}])(?:__name\(([\w$]+),"\1"\)(?:[;,]|(?=\})))+/g;

/** The options of esbuild for all bundles: ES modules with shared chunks. */
export const BUNDLING = {
  absWorkingDir: ROOT,
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node26',
  // tsconfig.json is not used: its `paths` lead to the TypeScript of the libraries, which would then be bundled twice after `nest build`.
  tsconfigRaw: {},
  // As Node resolves packages. With `module` first, some would be bundled twice, each with half of the decorators' metadata.
  mainFields: ['main', 'module'],
  external: ABSENT,
  banner: { js: COMMON_JS },
  define: { __dirname: 'bundleFolder' },
  // The OpenAPI document contains class names, and the log contains service names.
  keepNames: true,
  plugins: [likeNode],
  logLevel: 'warning',
};

/** Writes the bundle to `folder`/dist/src, and the licenses of the packages in it to `folder`/LICENSES.txt. @throws Error */
export async function bundle(folder) {
  const inputs = await bundleService(join(folder, 'dist/src'));
  writeFileSync(join(folder, 'LICENSES.txt'), licenses(inputs));
}

/** Writes the bundle to a folder, with additional entry points, and returns the bundled files. @throws Error */
export async function bundleService(outdir, { more = [], sourcemap = true } = {}) {
  const { metafile } = await build({
    ...BUNDLING,
    entryPoints: [...entryPoints(), ...more],
    outdir,
    // Every chunk with decorators needs it; chunks are not loaded in the order of the imports.
    inject: [join(ROOT, 'node_modules/reflect-metadata/Reflect.js')],
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap,
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
  });
  for (const output of Object.keys(metafile.outputs)) if (output.endsWith('.js')) dropNames(join(ROOT, output));
  copyAssets(metafile.outputs);
  return Object.keys(metafile.inputs);
}

/** Removes keepNames' statements that give a function the name it already has: there are thousands, which cost time at every run. */
function dropNames(file) {
  const code = readFileSync(file, 'utf8');
  // Blanks keep the positions that the source map refers to.
  writeFileSync(
    file,
    code.replace(SAME_NAME, (statement) => ' '.repeat(statement.length)),
  );
}

/** Returns the entry points. Libraries expect their worker files beside the code that starts them, which is in dist/src. */
function entryPoints() {
  const built = [...filesIn('dist/src'), ...filesIn('dist/libs')].map((file) => file.replaceAll('\\', '/'));
  const isEntry = (file) =>
    /(^dist\/src\/main|\.worker)\.js$/.test(file) || /^dist\/src\/entrypoints\/commands\/[a-z-]+\.js$/.test(file);
  const nameOf = (file) => (file.startsWith('dist/src/') ? relative('dist/src', file) : basename(file)).slice(0, -3);
  return built.filter(isEntry).map((file) => ({ in: file, out: nameOf(file) }));
}

function copyAssets(outputs) {
  for (const { of, file } of ASSETS) {
    const users = Object.keys(outputs).filter((output) => Object.hasOwn(outputs[output].inputs, of));
    if (users.length === 0) throw new Error(`${of} is not in the bundle`);
    for (const user of users) cpSync(join(ROOT, dirname(of), file), join(ROOT, dirname(user), file));
  }
}

/** Returns the licenses of all packages that the files belong to. */
function licenses(files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const isPackage = (folder) => existsSync(join(ROOT, folder, 'package.json'));
  return [...folders].filter(isPackage).sort().map(licenseOf).join('\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : 'Its package has no text of the license.';
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}
