import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Environment } from '../src/platform/environment/environment.js';
import { SETTING_KEYS } from '../src/platform/settings/settings.rules.js';

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync('docs/adr').map((name) => `docs/adr/${name}`),
  ...readdirSync('libs')
    .map((name) => `libs/${name}/README.md`)
    .filter(existsSync),
];
const textOf = (path: string) => readFileSync(path, 'utf8');
const anchorsOf = (path: string) =>
  [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
const foldersIn = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`);
const sources = ['src', 'libs', 'test', 'bench', 'bin', 'deploy'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);

/** Written by `npm run api-types`, and not in git. */
const GENERATED = ['libs/admin-ui/src/api/schema.d.ts'];

describe('what the documents name', () => {
  it.each(DOCUMENTS)('is there: %s', (document) => {
    const named = [...textOf(document).matchAll(/`([\w./-]+\.(?:ts|tsx|js|mjs|conf))`/g)].map(([, path = '']) => path);
    const missing = named.filter(
      (path) => ![...sources, ...GENERATED].some((file) => file === path || file.endsWith(`/${path}`)),
    );
    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('can be followed: %s', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(dirname(document), path)))).toEqual([]);
  });

  it.each(DOCUMENTS)('is a heading where a link says so: %s', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)#\s]*)#([\w-]+)\)/g)];
    const missing = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? document : join(dirname(document), path);
      return !anchorsOf(target).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('is in the tree of modules, folder by folder', () => {
    const tree = /## Modules\n\n```\n([\s\S]*?)```/.exec(textOf('ARCHITECTURE.md'))?.[1] ?? '';
    const inTree: string[] = [];
    let above: string[] = [];
    for (const [, indent = '', folder = ''] of tree.matchAll(/^( *)([\w-]+)\/(?: |$)/gm)) {
      above = [...above.slice(0, indent.length / 2), folder];
      inTree.push(above.join('/'));
    }
    const storeys = foldersIn('src');
    const folders = [...storeys, ...storeys.flatMap(foldersIn), ...foldersIn('libs')];
    expect(inTree.filter((path) => /^(?:src|libs)\//.test(path)).sort()).toEqual(folders.sort());
  });

  it('is every page of the manual, in its table of contents', () => {
    const contents = textOf('docs/README.md');
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages.filter((page) => !contents.includes(`](${page})`))).toEqual([]);
  });

  it('is on one screen of README', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(8 * 1024);
  });

  it('is every setting and every environment variable', () => {
    const told = new Set(
      [...textOf('docs/settings.md').matchAll(/`([a-z]+\.[a-z_]+|[A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name]) => name),
    );
    const limits = SETTING_KEYS.filter((key) => key.endsWith('_per_key')).map(String); // told together with the one for all keys
    expect(SETTING_KEYS.filter((key) => !told.has(key) && !limits.includes(key))).toEqual([]);
    const variables = Object.keys(new Environment()).filter((name) => name === name.toUpperCase());
    expect(variables.filter((name) => !told.has(name))).toEqual([]);
  });
});
