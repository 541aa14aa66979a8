import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The folders of src, top storey first: each may import only those below it. Discuss before you add one. */
const STOREYS = ['entrypoints', 'features', 'core', 'access', 'platform'];
/** Browser code, built by Vite. */
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

/** The position of a file: storey, room with its storey, and folder in that room ('' = none); null outside the storeys. */
interface Place {
  storey: string;
  room: string;
  folder: string;
}

function placeOf(path: string): Place | null {
  const [top, storey = '', room = '', ...rest] = relative(ROOT, path).split(sep);
  if (top !== 'src' || rest.length === 0) return null;
  return { storey, room: join(storey, room), folder: rest.length > 1 ? (rest[0] ?? '') : '' };
}

const show = ({ file, target }: Import) => `${file} imports ${target}`;

describe('the import rules', () => {
  const inside = imports.flatMap((one) => {
    if (!one.target.startsWith('.')) return [];
    const [from, to] = [placeOf(resolve(one.file)), placeOf(resolve(dirname(one.file), one.target))];
    return from && to ? [{ ...one, from, to }] : [];
  });
  const crossing = inside.filter(({ from, to }) => from.room !== to.room);

  it('find five storeys in src, and in each of them only folders', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...STOREYS].sort());
    const files = STOREYS.flatMap((storey) =>
      readdirSync(join('src', storey), { withFileTypes: true }).filter((entry) => !entry.isDirectory()),
    );
    expect(files.map(({ name }) => name)).toEqual([]);
    expect(crossing.length).toBeGreaterThan(500);
  });

  it('let imports point only to the same storey and those below', () => {
    const up = crossing.filter(({ from, to }) => STOREYS.indexOf(to.storey) < STOREYS.indexOf(from.storey));
    expect(up.map(show)).toEqual([]);
  });

  it('leave out @IsPhoneNumber, which libs/no-phone-numbers lets take nothing', () => {
    expect(sources.filter((file) => /\bisPhoneNumber\b/i.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('keep the entry points apart', () => {
    const sideways = crossing.filter(({ from, to }) => from.storey === 'entrypoints' && to.storey === 'entrypoints');
    expect(sideways.map(show)).toEqual([]);
  });

  it('keep libs free of src, and of each other but through their public names', () => {
    const escaping = imports.filter(({ file, target }) => {
      if (!file.startsWith(`libs${sep}`) || !target.startsWith('.')) return false;
      const lib = file.split(sep).slice(0, 2).join(sep);
      const imported = resolve(dirname(file), target);
      // Packages are published without their tests.
      const isForTests = file.endsWith('.spec.ts') && imported === resolve('test/fuzz/random.js');
      return !isForTests && !imported.startsWith(resolve(lib));
    });
    expect(escaping.map(show)).toEqual([]);
  });

  it('let only src/entrypoints/mcp and libs/mcp-http use the MCP SDK', () => {
    const users = imports.filter(
      ({ file, target }) =>
        target.startsWith('@modelcontextprotocol/') &&
        !file.startsWith(join('src', 'entrypoints', 'mcp')) &&
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
        !file.startsWith(join('src', 'platform', 'database')) &&
        !file.startsWith(join('src', 'platform', 'text')) &&
        !file.startsWith(join('src', 'platform', 'sql')) &&
        !file.startsWith(join('libs', 'kysely-node-sqlite')),
    );
    expect(users.map(show)).toEqual([]);
  });

  it('have no circles between the rooms of src', () => {
    const arrows = crossing.filter(({ file }) => !isTest(file));
    expect(findCycle(graphOf(arrows.map(({ from, to }) => [from.room, to.room])))).toBeNull();
  });

  it('have no circles between the folders of a room', () => {
    // The module in the root folder of a room may import from all its folders.
    const isPlan = (file: string, { folder }: Place) => folder === '' && file.endsWith('.module.ts');
    const arrows = inside.filter(
      ({ file, from, to }) =>
        from.room === to.room && from.folder !== to.folder && !isTest(file) && !isPlan(file, from),
    );
    const name = ({ room, folder }: Place) => join(room, folder);
    expect(arrows.length).toBeGreaterThan(50);
    expect(findCycle(graphOf(arrows.map(({ from, to }) => [name(from), name(to)])))).toBeNull();
  });

  it('have no cycles between files', () => {
    const arrows = imports.filter(({ target }) => target.startsWith('.'));
    const graph = graphOf(
      arrows.map(({ file, target }) => [file, relative(ROOT, resolve(dirname(file), target)).replace(/\.js$/, '.ts')]),
    );
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

function graphOf(arrows: readonly (readonly [string, string])[]): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [from, to] of arrows) graph.set(from, [...(graph.get(from) ?? []), to]);
  return graph;
}

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
