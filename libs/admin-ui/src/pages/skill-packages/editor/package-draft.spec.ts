import {
  asText,
  type DraftFile,
  pathObstacle,
  textFile,
  toDraft,
  toWritten,
  withFiles,
  withoutFile,
  withRenamed,
} from './package-draft';

const listed = (path: string) => ({ path, size: 3, digest: `sha256:${path}`, mimeType: 'text/plain' });
const kept = (path: string): DraftFile => ({ path, size: 3, kind: 'digest', content: `sha256:${path}` });
const DRAFT = toDraft({ files: ['SKILL.md', 'b.md', 'a/c.md'].map(listed) }, 'text');

describe('the draft of a package', () => {
  it('keeps the files of the package, and sends all of them', () => {
    expect(DRAFT).toEqual({ skillFile: 'text', files: [kept('a/c.md'), kept('b.md')] });
    expect(toWritten(DRAFT)).toEqual({
      files: [
        { path: 'SKILL.md', kind: 'text', content: 'text' },
        { path: 'a/c.md', kind: 'digest', content: 'sha256:a/c.md' },
        { path: 'b.md', kind: 'digest', content: 'sha256:b.md' },
      ],
    });
  });

  it('takes files in place of others, in the order of their paths', () => {
    const added = withFiles(DRAFT, [textFile('b.md', 'ä'), textFile('0.md', ''), textFile('SKILL.md', 'other')]);
    expect(added.skillFile).toBe('other');
    expect(added.files.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['0.md', 'text', 0],
      ['a/c.md', 'digest', 3],
      ['b.md', 'text', 2],
    ]);
    expect(DRAFT.files).toHaveLength(2);
  });

  it('renames and removes files', () => {
    expect(withRenamed(DRAFT, 'a/c.md', 'z.md').files).toEqual([kept('b.md'), { ...kept('a/c.md'), path: 'z.md' }]);
    expect(withoutFile(DRAFT, 'b.md').files).toEqual([kept('a/c.md')]);
  });

  it('says why a file cannot have a path', () => {
    expect(pathObstacle(DRAFT, 'new.md')).toBeNull();
    expect(pathObstacle(DRAFT, 'b.md')).toBe('There is a file b.md already.');
    expect(pathObstacle(DRAFT, 'SKILL.md')).toBe('There is a file SKILL.md already.');
    expect(pathObstacle(DRAFT, ' ')).toMatch(/Write the path/);
  });

  it('is one text, in which every change can be seen', () => {
    const texts = [DRAFT, withoutFile(DRAFT, 'b.md'), withRenamed(DRAFT, 'b.md', 'c.md'), { ...DRAFT, skillFile: 'x' }];
    expect(new Set(texts.map(asText)).size).toBe(4);
  });
});
