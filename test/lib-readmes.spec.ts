import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { transformSync } from '@swc/core';

interface Manifest {
  name: string;
  version: string;
  imports?: Record<string, string>;
  dependencies?: Record<string, string>;
}

const APPS = ['admin-ui', 'app-views'];
const LIBS = readdirSync('libs').filter((lib) => !APPS.includes(lib) && existsSync(join('libs', lib, 'src')));
const manifestAt = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Runs TypeScript as a module, and returns its output. */
async function run(code: string): Promise<string> {
  const js = transformSync(code, {
    swcrc: false,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'es6' },
  }).code;
  const body = js.replaceAll(/^import \{([^}]*)\} from ["']([^"']+)["'];/gm, (_found, names: string, from: string) => {
    return `const {${names.replaceAll(' as ', ': ')}} = await load('${from}');`;
  });
  const lines: string[] = [];
  const print = (...values: unknown[]) =>
    void lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction('load', 'console', body)((name: string) => import(name), { log: print, error: print });
  return `${lines.join('\n')}\n`;
}

describe('the README of a library', () => {
  it.each(LIBS)('has an example that prints what it says: %s', async (lib) => {
    const readme = readFileSync(join('libs', lib, 'README.md'), 'utf8');
    const [, code = '', printed = ''] = /^```ts\n(.*?)^```$.*?^```\n(.*?)^```$/ms.exec(readme) ?? [];
    expect(code).not.toBe('');
    expect(await run(code)).toBe(printed);
  });
});

describe('the package.json of a library', () => {
  const service = manifestAt('.');

  it.each(LIBS)('declares what the library imports, at the version of the service: %s', (lib) => {
    const folder = join('libs', lib, 'src');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.endsWith('testing.ts'),
    );
    const imported = new Set(
      sources.flatMap((name) =>
        [
          ...readFileSync(join(folder, name), 'utf8').matchAll(
            /from '((?:#|@[\w-]+\/)?[\w-]+)[^']*'|import\('((?:@[\w-]+\/)?[\w-]+)[^']*'\)/g,
          ),
        ]
          .map(([found, from, loaded]) => (found.includes("'node:") ? '' : (from ?? loaded ?? '')))
          .filter((name) => name !== '' && name !== 'node'),
      ),
    );
    const expected = [...imported].map((name) =>
      name.startsWith('#')
        ? [`@agent-service/${name.slice(1)}`, service.version]
        : [name, service.dependencies?.[name]],
    );
    const { version, dependencies = {}, imports = {} } = manifestAt(join('libs', lib));
    expect(version).toBe(service.version);
    expect(dependencies).toEqual(Object.fromEntries(expected));
    expect(Object.keys(imports).sort()).toEqual([...imported].filter((name) => name.startsWith('#')).sort());
  });
});
