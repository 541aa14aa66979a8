import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Imports only point down this list; folders on the same line may import each other, doors never. */
const LAYERS: readonly (readonly string[])[] = [
  ['mcp', 'admin', 'health', 'hooks', 'commands'],
  ['skills', 'workflows', 'resources', 'knowledge', 'memory', 'feeds'],
  ['semantic'],
  ['policy', 'clients', 'service-info', 'telemetry', 'outgoing-http', 'network'],
  ['audit'],
  ['config'],
  ['secrets'],
  ['database'],
  ['text', 'markdown'],
  ['environment', 'events', 'listening', 'paging', 'periodic', 'threads'],
  ['settings', 'sql', 'errors'],
];
const DOORS = new Set(LAYERS[0]);
/** What runs in browsers, built by Vite. */
const PAGES = [join('libs', 'admin-ui'), join('libs', 'app-views')];
const ROOT = resolve('.');

interface Import {
  file: string;
  target: string;
}

const sources = ['src', 'libs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.includes('node_modules') && !PAGES.some((pages) => file.startsWith(pages)),
    ),
);
const imports: Import[] = sources.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => ({
    file,
    target,
  })),
);
const isTest = (file: string) => file.endsWith('.spec.ts') || file.endsWith('testing.ts');

/** The folder of `src` that a file belongs to; null for the files beside the folders. */
function featureOf(path: string): string | null {
  const [top, feature, ...rest] = relative(ROOT, path).split(sep);
  return top === 'src' && feature !== undefined && rest.length > 0 ? feature : null;
}

const layerOf = (feature: string) => LAYERS.findIndex((layer) => layer.includes(feature));
const show = ({ file, target }: Import) => `${file} imports ${target}`;

describe('the import rules', () => {
  const crossing = imports.flatMap((one) => {
    if (!one.target.startsWith('.')) return [];
    const [from, to] = [featureOf(resolve(one.file)), featureOf(resolve(dirname(one.file), one.target))];
    return from !== null && to !== null && from !== to ? [{ ...one, from, to }] : [];
  });

  it('know every folder of src', () => {
    const folders = new Set(sources.map((file) => featureOf(resolve(file))).filter((feature) => feature !== null));
    expect([...folders].filter((feature) => layerOf(feature) < 0)).toEqual([]);
    expect(crossing.length).toBeGreaterThan(50);
  });

  it('let imports point only from doors to features to foundations', () => {
    expect(crossing.filter(({ from, to }) => layerOf(to) < layerOf(from)).map(show)).toEqual([]);
  });

  it('leave out @IsPhoneNumber, which libs/no-phone-numbers lets take nothing', () => {
    expect(sources.filter((file) => /\bisPhoneNumber\b/i.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('keep the doors apart', () => {
    expect(crossing.filter(({ from, to }) => DOORS.has(from) && DOORS.has(to)).map(show)).toEqual([]);
  });

  it('keep libs free of src, and of each other but through their public names', () => {
    const escaping = imports.filter(({ file, target }) => {
      if (!file.startsWith(`libs${sep}`) || !target.startsWith('.')) return false;
      const lib = file.split(sep).slice(0, 2).join(sep);
      return !resolve(dirname(file), target).startsWith(resolve(lib));
    });
    expect(escaping.map(show)).toEqual([]);
  });

  it('let only src/mcp and libs/mcp-http use the MCP SDK', () => {
    const users = imports.filter(
      ({ file, target }) =>
        target.startsWith('@modelcontextprotocol/') &&
        !file.startsWith(join('src', 'mcp')) &&
        !file.startsWith(join('libs', 'mcp-http')),
    );
    expect(users.map(show)).toEqual([]);
  });

  it('let only stores, tables, the database and the text index use Kysely', () => {
    const users = imports.filter(
      ({ file, target }) =>
        target.startsWith('kysely') &&
        !isTest(file) &&
        !/\.(store|table)\.ts$/.test(file) &&
        !file.startsWith(join('src', 'database')) &&
        !file.startsWith(join('src', 'text')) &&
        !file.startsWith(join('src', 'sql')) &&
        !file.startsWith(join('libs', 'kysely-node-sqlite')),
    );
    expect(users.map(show)).toEqual([]);
  });

  it('have no cycles between folders of src', () => {
    const graph = new Map<string, string[]>();
    for (const { file, from, to } of crossing) if (!isTest(file)) graph.set(from, [...(graph.get(from) ?? []), to]);
    expect(findCycle(graph)).toBeNull();
  });

  it('have no cycles between files', () => {
    const graph = new Map<string, string[]>();
    for (const { file, target } of imports) {
      if (!target.startsWith('.')) continue;
      const to = relative(ROOT, resolve(dirname(file), target)).replace(/\.js$/, '.ts');
      graph.set(file, [...(graph.get(file) ?? []), to]);
    }
    expect(findCycle(graph)).toBeNull();
  });
});

describe('the house rules', () => {
  it('keep files short', () => {
    const lengths = sources.map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }));
    expect(lengths.filter(({ file, lines }) => !isTest(file) && lines > 400)).toEqual([]);
  });

  it('name no catch-all files', () => {
    expect(sources.filter((file) => /(^|[./\\-])(utils?|helpers?|common|manager|base)\.ts$/.test(file))).toEqual([]);
  });

  it('avoid forwardRef, ModuleRef and request scope', () => {
    const offenders = sources.filter((file) =>
      /\b(forwardRef|ModuleRef|Scope\.REQUEST)\b/.test(readFileSync(file, 'utf8')),
    );
    expect(offenders).toEqual([]);
  });

  it('keep modules short tables of contents', () => {
    const modules = sources.filter((file) => file.endsWith('.module.ts'));
    const bodies = modules.map((file) => ({
      file,
      lines: readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.startsWith('import')).length,
    }));
    expect(bodies.filter(({ lines }) => lines > 40)).toEqual([]);
  });
});

function findCycle(graph: Map<string, string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    done.add(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return null;
}
