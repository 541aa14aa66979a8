// Transpiles the TypeScript of src, libs, test and bench to JavaScript in dist. `npm run types` checks the types.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { filesIn, ROOT } from './files.js';

const TESTS = /\.(spec|e2e-spec|d)\.ts$|[\\/.]testing\.ts$/;
/** The sources that Vite builds. */
const PAGES = [join('libs', 'admin-ui') + sep, join('libs', 'app-views') + sep];

/**
 * Brings dist/<folder> up to date for each folder whose sources have changed. It may run several times at once, and while the service
 * runs, because each file is replaced as a whole.
 * @throws Error when a source is not valid TypeScript, or the packages for transpiling are not installed
 */
export async function transpile(...folders) {
  for (const folder of folders) {
    const sources = sourcesIn(folder);
    const made = fingerprint(sources);
    if (made !== lastFingerprint(folder)) {
      console.error(`Transpiling ${folder}: ${sources.length} files`);
      await transpileFolder(folder, sources);
      writeFileSync(join(ROOT, fingerprintFile(folder)), made);
    }
  }
}

/** Records that dist/<folder> is up to date, because another program has built it. */
export function noteAsBuilt(...folders) {
  for (const folder of folders) writeFileSync(join(ROOT, fingerprintFile(folder)), fingerprint(sourcesIn(folder)));
}

async function transpileFolder(folder, sources) {
  const { transformFile } = await import('@swc/core');
  const options = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
  mkdirSync(join(ROOT, 'dist', folder), { recursive: true });
  const written = await Promise.all(sources.map((source) => transpileFile(source, transformFile, options)));
  replaceFiles(folder, new Map(written.flat()));
}

async function transpileFile(source, transformFile, options) {
  const target = join('dist', source.replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(join(ROOT, source), {
    ...options,
    swcrc: false,
    inlineSourcesContent: false,
    sourceFileName: relative(dirname(target), source).replaceAll('\\', '/'),
  });
  return [
    [target, `${code}//# sourceMappingURL=${basename(target)}.map\n`],
    [`${target}.map`, map],
  ];
}

/** Writes the files to a temporary place and renames them, and deletes the outputs of deleted sources. */
function replaceFiles(folder, contents) {
  const beside = mkdtempSync(join(ROOT, 'dist/transpile-'));
  for (const [file, content] of contents) {
    const place = join(ROOT, file);
    if (existsSync(place) && readFileSync(place, 'utf8') === content) continue;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(join(beside, 'file'), content);
    renameSync(join(beside, 'file'), place);
  }
  rmSync(beside, { recursive: true });
  for (const file of filesIn(join('dist', folder))) {
    if (!contents.has(file) && file !== fingerprintFile(folder)) rmSync(join(ROOT, file), { force: true });
  }
}

function sourcesIn(folder) {
  const isSource = (file) =>
    file.endsWith('.ts') && !PAGES.some((pages) => file.startsWith(pages)) && !TESTS.test(file);
  return filesIn(folder).filter(isSource);
}

/** Returns a fingerprint that changes whenever a source is changed, added or removed. */
function fingerprint(sources) {
  const states = ['.swcrc', ...sources].map((file) => {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    return `${file} ${mtimeMs} ${size}`;
  });
  return createHash('sha256').update(states.join('\n')).digest('hex');
}

function lastFingerprint(folder) {
  const file = join(ROOT, fingerprintFile(folder));
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function fingerprintFile(folder) {
  return join('dist', folder, '.made-of');
}

// node bin/build/transpile.js <folder>...
if (argv[1] === fileURLToPath(import.meta.url)) await transpile(...argv.slice(2));
