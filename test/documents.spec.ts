import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isClientKey } from '../src/access/clients/client-key.rules.js';
import { Environment } from '../src/platform/environment/environment.js';
import { SETTING_KEYS } from '../src/platform/settings/settings.rules.js';

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'workflows/README.md',
  'samples/modules/README.md',
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
const sources = ['src', 'libs', 'test', 'bench', 'bin', 'deploy', 'samples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);

/** The code of the service and its pages, as one text. */
const code = sources
  .filter((file) => /^(?:src|libs|bin)\/(?!.*\bdist\/).*(?<!\.spec)\.(?:tsx?|js)$/.test(file))
  .map(textOf)
  .join('\n');

/** Returns whether the code has a text, whatever stands for its numbers and for "...". */
const isInCode = (text: string) => text.split(/\.{3}|\d+/).every((part) => code.includes(part.trim()));

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

  it.each(DOCUMENTS)('is a script of package.json where a command runs one: %s', (document) => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = [...textOf(document).matchAll(/npm run ([\w:-]+)(?![\w:-]| --prefix)/g)].map(
      ([, script = '']) => script,
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it.each(DOCUMENTS)('is the package of this version: %s', (document) => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    const named = [...textOf(document).matchAll(/agent-service-(\d[\w.-]*)\.tgz/g)].map(([, named = '']) => named);
    expect(named.filter((other) => other !== version)).toEqual([]);
  });

  it.each(DOCUMENTS)('is in the code where it looks like a setting: %s', (document) => {
    const groups = new Set(SETTING_KEYS.map((key) => key.split('.')[0]));
    const named = [...textOf(document).matchAll(/`(([a-z]+)\.[a-z_]+)`/g)].filter(([, , group = '']) =>
      groups.has(group),
    );
    expect(named.map(([, name = '']) => name).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });

  it('is a message of the service where a heading of troubleshooting quotes one', () => {
    const headings = [...textOf('docs/troubleshooting.md').matchAll(/^## (?!An assistant says)(.*)$/gm)];
    const quoted = headings.flatMap(([, heading = '']) =>
      [...heading.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text),
    );
    expect(quoted.filter((text) => !isInCode(text))).toEqual([]);
  });

  it('is a message of the login page where the manual explains it', () => {
    const table = /^\| Message .*\n.*\n((?:\|.*\n)+)/m.exec(textOf('docs/single-sign-on.md'))?.[1] ?? '';
    const messages = [...table.matchAll(/^\| (.*?) *\|/gm)].map(([, message = '']) => message);
    expect(messages).not.toEqual([]);
    expect(messages.filter((message) => !isInCode(message))).toEqual([]);
  });

  it('is every tool of the service, in the page of tools', () => {
    const skills = sources.filter((file) => /^src.*\.skills\.ts$/.test(file)).map(textOf);
    const valueOf = (constant = '') => new RegExp(`^(?:export )?const ${constant} = '(.*)';$`, 'm');
    const names = skills.flatMap((text) =>
      [...text.matchAll(/^ +name: (?:'([a-z_]+)'|([A-Z]+)),$/gm)].map(
        ([, name, constant]) => name ?? (valueOf(constant).exec(text) ?? valueOf(constant).exec(code))?.[1] ?? '',
      ),
    );
    expect(names).toEqual(expect.arrayContaining(['run_list', 'llm_generate', 'llm_agent']));
    const tools = textOf('docs/tools.md');
    expect(names.filter((name) => !tools.includes(`\`${name}\``))).toEqual([]);
  });

  it('is a valid key, which a leak scanner finds, in the page of clients', () => {
    const [key = ''] = /\bask_[0-9A-Za-z]{49}\b/.exec(textOf('docs/clients.md')) ?? [];
    expect(isClientKey(key)).toBe(true);
  });

  it('is every folder of the pages of the administration, in their README', () => {
    const readme = textOf('libs/admin-ui/README.md');
    const folders = readdirSync('libs/admin-ui/src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\n  ${name}/ `))).toEqual([]);
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
    const limits = SETTING_KEYS.filter((key) => key.endsWith('_per_key')).map(String); // documented together with the limit for all keys
    expect(SETTING_KEYS.filter((key) => !told.has(key) && !limits.includes(key))).toEqual([]);
    const variables = Object.keys(new Environment()).filter((name) => name === name.toUpperCase());
    expect(variables.filter((name) => !told.has(name))).toEqual([]);
  });
});
