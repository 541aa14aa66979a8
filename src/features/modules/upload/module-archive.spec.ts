import { strToU8, zipSync } from 'fflate';
import { readArchive } from './module-archive.js';

const read = (files: Record<string, string>, name = 'weather.zip') =>
  readArchive({
    name,
    bytes: zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))),
  });

describe('an archive of a module', () => {
  it('has its files at the top, or in one folder, which gives it its name', () => {
    const at = (prefix: string) => ({
      ...{ [`${prefix}index.ts`]: 'a', [`${prefix}lib/b.mjs`]: 'b', [`${prefix}lib/b.test.ts`]: 't' },
      ...{ [`${prefix}README.md`]: 'r', [`${prefix}.git/x.ts`]: 'g', [`${prefix}node_modules/p/index.js`]: 'p' },
    });
    const files = (name: string) => ({ [`${name}/index.ts`]: 'a', [`${name}/lib/b.mjs`]: 'b' });
    expect(read(at(''))).toEqual({ file: 'weather/index.ts', files: files('weather') });
    expect(read(at('sun/'))).toEqual({ file: 'sun/index.ts', files: files('sun') });
    expect(read({ ...at('sun/'), '__MACOSX/sun/._index.ts': 'x' })).toMatchObject({ file: 'sun/index.ts' });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['no index', { 'a/b.ts': '', 'c/index.ts': '' }, /has no index\.ts/],
    ['nothing', {}, /has no index\.ts/],
    ['a path that leads out', { 'index.ts': '', '../x.ts': '' }, /none in a module: "\.\.\/x\.ts"/],
    ['an absolute path', { 'index.ts': '', '/etc/x.ts': '' }, /none in a module/],
    ['a backslash', { 'index.ts': '', '..\\x.ts': '' }, /none in a module|no index/],
    ['many levels', { 'index.ts': '', 'a/b/c/d/e/f/g.ts': '' }, /more than 5 levels/],
    [
      'many files',
      { 'index.ts': '', ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}.ts`, ''])) },
      /more than 100 files/,
    ],
    ['more than it may', { 'index.ts': 'x'.repeat(1_000_001) }, /more than 1000000 bytes/],
  ])('is refused with %s', (_what, files, problem) => {
    expect(read(files)).toEqual({ problem: expect.stringMatching(problem) as unknown });
  });

  it('is rejected when it is not an archive, or not text', () => {
    expect(readArchive({ name: 'a.zip', bytes: strToU8('PK no') })).toEqual({
      problem: expect.stringMatching(/cannot be unpacked/) as unknown,
    });
    const bytes = zipSync({ 'index.ts': Uint8Array.of(0xff, 0xfe) });
    expect(readArchive({ name: 'a.zip', bytes })).toEqual({
      problem: expect.stringMatching(/index\.ts is no text/) as unknown,
    });
  });
});
