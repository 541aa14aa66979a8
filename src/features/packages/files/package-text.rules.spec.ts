import { describeFiles, describePackages, promptText, shortDescription } from './package-text.rules.js';

const listed = (path: string, size: number) => ({ path, size, digest: '', mimeType: '' });

describe('what models are told of packages', () => {
  it('cuts a description at a word, and never a character in two', () => {
    expect(shortDescription('Use\n  it often.', 20)).toBe('Use it often.');
    expect(shortDescription('one two three', 9)).toBe('one two…');
    expect(shortDescription('😀'.repeat(10), 8)).toBe('😀😀😀…');
  });

  it('lists the files besides the instructions', () => {
    expect(describeFiles('a', [listed('SKILL.md', 1)])).toBe('');
    const text = describeFiles('a', [listed('SKILL.md', 1), listed('b "c".md', 2_048), listed('big', 3_000_000)]);
    expect(text).toContain('skill_read { name: "a", file: "b \\"c\\".md" }');
    expect(text.split('\n').slice(1)).toEqual(['- b "c".md (2 KB)', '- big (3 MB)']);
    const many = Array.from({ length: 300 }, (_, at) => listed(`f${at}`, 1));
    expect(describeFiles('a', many).split('\n').at(-1)).toBe('- and 100 more');
  });

  it('makes a prompt of arguments, instructions and files', () => {
    const text = promptText({ name: 'a', files: [listed('x.md', 1)] }, '\nDo it.\n', { topic: 'tests' });
    expect(text.split('\n\n').slice(0, 3)).toEqual([
      'Use the skill a: follow its instructions.',
      'Arguments:\n- topic: tests',
      'Do it.',
    ]);
    expect(promptText({ name: 'a', files: [] }, 'Do it.', {})).toBe(
      'Use the skill a: follow its instructions.\n\nDo it.',
    );
  });

  it('names as many packages as there is room for', () => {
    const packages = Array.from({ length: 50 }, (_, at) => ({ name: `skill-${at}`, description: 'ü'.repeat(200) }));
    const text = describePackages(packages, 600);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(600);
    expect(text.split('\n')[0]).toMatch(/^There are 50 skills here.*skill_find.*skill_read\.$/);
    expect(text.split('\n').length).toBeGreaterThan(2);
    expect(describePackages([], 600)).toBe('');
    expect(describePackages(packages, 50)).toBe('');
  });
});
