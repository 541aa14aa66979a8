import { digestOf } from './package-check.rules.js';
import { skillFileOf, withWritten } from './package-draft.rules.js';
import { readSkillFile } from './skill-file.rules.js';

describe('skillFileOf', () => {
  it.each(['Use: often', '"quoted" # no comment', '- a list?', 'two\nlines', '*', 'yes', '---', ' é\\'])(
    'keeps the description %j',
    (description) => {
      const { frontmatter, body } = readSkillFile(
        skillFileOf(null, { name: 'release', description, instructions: 'Do it.' }),
      );
      expect(frontmatter).toEqual({ name: 'release', description });
      expect(body).toBe('\nDo it.\n');
    },
  );

  it('keeps the other fields of the frontmatter', () => {
    const before = { name: 'release', description: 'Old.', license: 'MIT', metadata: { tags: 'a, b' } };
    const text = skillFileOf(before, { name: 'release', description: 'New.', instructions: '' });
    expect(readSkillFile(text).frontmatter).toEqual({ ...before, description: 'New.' });
  });
});

describe('withWritten', () => {
  it('puts files in the place of those with the same path', () => {
    const file = (path: string, text: string) => ({
      path,
      bytes: Buffer.from(text),
      digest: digestOf(Buffer.from(text)),
    });
    const written = withWritten(
      [file('a', '1'), file('b', '2')],
      [
        { path: 'b', text: '3' },
        { path: 'c', text: '' },
      ],
    );
    expect(written).toEqual([file('a', '1'), file('b', '3'), file('c', '')]);
  });
});
