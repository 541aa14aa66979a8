import { skillText } from '../testing.js';
import { factsOf, instructionsIn, readSkillFile } from './skill-file.rules.js';

const mistakesOf = (text: string) =>
  readSkillFile(text).problems.map(({ severity, line, message }) => `${severity} ${line} ${message}`);
const fields = (yaml: string) => `---\n${yaml}\n---\nDo it.\n`;
const right = 'name: release\ndescription: How we release.';

describe('readSkillFile', () => {
  it('returns all fields of a right file as they were written, and the instructions', () => {
    const text = `---\n${right}\nlicense: MIT\nmodel: large\nmetadata:\n  version: "1.0"\n---\n# Release\n\n---\nEnd\n`;
    expect(readSkillFile(text)).toEqual({
      frontmatter: {
        name: 'release',
        description: 'How we release.',
        license: 'MIT',
        model: 'large',
        metadata: { version: '1.0' },
      },
      body: '# Release\n\n---\nEnd\n',
      nameLine: 2,
      problems: [],
    });
  });

  it('takes Windows line ends and a byte order mark', () => {
    const { frontmatter, body } = readSkillFile(`\uFEFF${skillText('release').replaceAll('\n', '\r\n')}`);
    expect(frontmatter).toEqual({ name: 'release', description: 'How to do release.' });
    expect(body).toBe('Do it.\r\n');
    expect(instructionsIn(`\uFEFF${skillText('release')}`)).toBe('Do it.\n');
  });

  it.each([
    ['', 1, 'must begin with a line "---"'],
    ['# Release', 1, 'must begin with a line "---"'],
    ['---\nname: release\n', 1, 'has no end'],
    [`---\nname: release\n${'#'.repeat(20_000)}\n---\n`, 1, 'longer than 8 KB'],
    [fields('- a'), 2, 'must be fields'],
    [fields('name: release\ndescription: Use: often'), 3, 'in quotes'],
    [fields('name: release\ndescription: Use often\nwhen asked'), 4, 'indent a text that goes on'],
    [fields('name: release\ndescription: "Use" often'), 3, 'put all of the text in quotes'],
    [fields('name: release\ndescription: "Use'), 4, 'must end with one'],
    [fields('name: release\ndescription: *Use'), 3, 'put a text in quotes'],
    [fields('name: release\n  : ['), 4, 'not valid YAML'],
    [fields(`${right}\nname: again`), 4, 'there twice'],
    [fields(`a: &a x\n${right}\nb: *a`), 5, 'alias'],
    [fields(`${right}\nx: .inf`), 4, 'JSON'],
    [fields(`${right}\n? [a]\n: b`), 4, 'the name of a field'],
    [fields(`${right}\nx: ${'['.repeat(30)}${']'.repeat(30)}`), 4, 'levels deep'],
    [fields(`${right}\nx: ${'['.repeat(4_000)}`), 4, 'not valid YAML'],
    [fields(`${right}\nx: [${'1,'.repeat(2_000)}]`), 4, 'more than 1000 values'],
    [fields('description: x'), 1, 'name is missing'],
    [fields('name: Release\ndescription: x'), 2, 'lower-case'],
    [fields('name: a--b\ndescription: x'), 2, 'lower-case'],
    [fields('name: -a\ndescription: x'), 2, 'lower-case'],
    [fields(`name: ${'a'.repeat(65)}\ndescription: x`), 2, 'lower-case'],
    [fields('name: new\ndescription: x'), 2, 'choose another name'],
    [fields('name: 7\ndescription: x'), 2, 'name is missing'],
    [fields('name: release'), 1, 'description is missing'],
    [fields('name: release\ndescription: " "'), 3, 'description is missing'],
    [fields(`name: release\ndescription: ${'é'.repeat(1_025)}`), 3, '1025 characters'],
    [fields(`${right}\nlicense: [MIT]`), 4, 'license must be'],
    [fields(`${right}\ncompatibility: ${'x'.repeat(501)}`), 4, '1 to 500'],
    [fields(`${right}\ncompatibility: ""`), 4, '1 to 500'],
    [fields(`${right}\nmetadata: text`), 4, 'metadata must be fields'],
    [fields(`${right}\nmetadata:\n  arguments: "topic, what is it"`), 4, 'what is it'],
    [fields(`${right}\nmetadata:\n  arguments: "a, a?"`), 4, 'a name twice'],
    [fields(`${right}\nmetadata:\n  arguments: "a,b,c,d,e,f,g,h,i,j,k"`), 4, 'more than 10'],
  ])('refuses %j, with the line', (text, line, part) => {
    const { frontmatter, problems } = readSkillFile(text);
    expect(frontmatter).toBeNull();
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map((problem) => problem.line)).toEqual([line]);
    expect(errors[0]?.message).toContain(part);
    expect(errors[0]?.message.length).toBeLessThan(300);
  });

  it('takes fields without values as if they were not there', () => {
    const empty = 'license:\ncompatibility:\nmetadata:\nallowed-tools:';
    expect(mistakesOf(`---\n${right}\n${empty}\n---\nDo it.`)).toEqual([]);
  });

  it('refuses what the YAML library has no room for', () => {
    const { frontmatter, problems } = readSkillFile(fields(`${right}\nx: ${'- '.repeat(3_900)}`));
    expect(frontmatter).toBeNull();
    expect(problems).toHaveLength(1);
  });

  it('warns of what works, but is better otherwise', () => {
    expect(mistakesOf(`---\n${right}\nmetadata:\n  version: 1.0\nallowed-tools: [Bash]\n---\n`)).toEqual([
      'warning 6 allowed-tools should be one text, the names with spaces between them',
      'warning 4 metadata.version should be a text: put it in quotes',
      'warning 8 there are no instructions after the frontmatter',
    ]);
    expect(mistakesOf(skillText('release', 'x\n'.repeat(600)))[0]).toMatch(
      /^warning 505 the instructions have 602 lines/,
    );
  });

  it('keeps a field named like a member of every object', () => {
    const { frontmatter } = readSkillFile(fields(`${right}\n__proto__: x\nconstructor: y`));
    expect(Object.keys(frontmatter ?? {})).toEqual(['name', 'description', '__proto__', 'constructor']);
  });
});

describe('factsOf', () => {
  it('reads tags and arguments', () => {
    const metadata = { tags: 'git, release,git,, ', arguments: 'topic, audience?' };
    expect(factsOf({ metadata })).toEqual({
      tags: ['git', 'release'],
      arguments: [
        { name: 'topic', required: true },
        { name: 'audience', required: false },
      ],
    });
    expect(factsOf({})).toEqual({ tags: [], arguments: [] });
    expect(factsOf({ metadata: { tags: 7 } })).toEqual({ tags: [], arguments: [] });
  });
});
