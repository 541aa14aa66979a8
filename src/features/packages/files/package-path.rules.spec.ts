import { isHidden, packageUri, parsePackageUri } from './package-path.rules.js';

describe('the URIs of packages', () => {
  it.each(['SKILL.md', 'references/GUIDE.md', 'a b/ü?#%.md', '100%/[x].txt', "it's (1)!*.md"])(
    'name the file %j, which is found again',
    (path) => {
      expect(parsePackageUri(packageUri('release', path))).toEqual({ name: 'release', path });
      expect(URL.canParse(packageUri('release', path))).toBe(true);
    },
  );

  it('name the folder of a package without a path', () => {
    expect(packageUri('release')).toBe('skill://release');
    expect(parsePackageUri('SKILL://Release')).toEqual({ name: 'release', path: '' });
  });

  it.each([
    'skill:release',
    'skill://',
    'skill://a b/x',
    'skill://a/%ZZ',
    'skill://a/x%2Fy',
    `skill://a/${'x'.repeat(5_000)}`,
  ])('are invalid: %j', (uri) => expect(parsePackageUri(uri)).toBeNull());
});

it('leaves out hidden files and folders, and what editors put beside the files that they save', () => {
  const hidden = ['.git', 'a/.env', '..data/x', '__MACOSX/x', 'SKILL.md~', 'a/#SKILL.md#', 'a/~$report.docx'];
  expect(hidden.filter((path) => !isHidden(path))).toEqual([]);
  expect(['a.b', '../x', './x', '~a', 'a~b', '#a', 'a#', '#'].filter(isHidden)).toEqual([]);
});
