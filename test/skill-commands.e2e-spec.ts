import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './harness/run-command.js';
import { moduleOfManual } from './support/module-of-manual.js';
import { temporaryFolder } from './support/temporary-folder.js';

describe('the commands for authors of skill modules', () => {
  const folder = temporaryFolder();
  const env = { SKILLS_DIR: folder };
  const at = (name: string) => join(folder, name);

  it('write a module that works, and a test of it that passes', async () => {
    expect(await runCommand(env, 'skill-new', 'words')).toMatchObject({ status: 0 });
    const tried = await runCommand(env, 'skill-try', at('words.ts'), '--input', '{ "text": "one two" }');
    expect(JSON.parse(tried.lines.join(''))).toMatchObject({ structuredContent: { words: 2, characters: 7 } });
    const tested = await runCommand(env, 'skill-test', at('words.test.ts'));
    expect(tested.lines).toEqual(expect.arrayContaining([expect.stringMatching(/✔ counts words and characters/)]));
    expect([tested.status, tested.lines.at(-1)]).toEqual([0, `The tests in ${at('words.test.ts')} have passed.`]);
  });

  it('run a test in a project that npm init has made', async () => {
    const project = at('project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "type": "commonjs" }');
    await runCommand({ SKILLS_DIR: project }, 'skill-new', 'words');
    expect(await runCommand(env, 'skill-test', join(project, 'words.test.ts'))).toMatchObject({ status: 0 });
  });

  it('report a failing test, and the absence of tests', async () => {
    await runCommand(env, 'skill-new', 'other');
    await writeFile(at('other.ts'), readFileSync(at('other.ts'), 'utf8').replace('.filter(Boolean)', ''));
    await writeFile(at('other.test.ts'), readFileSync(at('other.test.ts'), 'utf8').replace('words: 2', 'words: 3'));
    const failed = await runCommand(env, 'skill-test', at('other.test.ts'));
    expect([failed.status, failed.lines.at(-1)]).toEqual([1, `Tests in ${at('other.test.ts')} have failed.`]);
    const none = await runCommand(env, 'skill-test', at('none.test.ts'));
    expect([none.status, none.lines]).toEqual([1, [`There is no file ${at('none.test.ts')}.`]]);
    expect((await runCommand(env, 'skill-test')).status).toBe(2);
    const missing = await runCommand(env, 'skill-try', at('none.ts'), '--input', '{}');
    expect([missing.status, missing.lines]).toEqual([
      1,
      [expect.stringMatching(/^There is no file .*none\.ts: name a /)],
    ]);
  });

  it('run the test in the manual, of the module in the manual', async () => {
    const { module, test } = moduleOfManual();
    await writeFile(at('github_issues.ts'), module);
    await writeFile(at('github_issues.test.ts'), test);
    const { status, lines } = await runCommand(env, 'skill-test', at('github_issues.test.ts'));
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/✔ says what GitHub answers/)]));
    expect(status).toBe(0);
  });

  it('show all mistakes of a module', async () => {
    await writeFile(at('wrong.js'), `export default { name: 'wrong one', execute: () => 1, uses: { secret: [] } };`);
    const { status, lines } = await runCommand(env, 'skill-try', at('wrong.js'));
    expect([status, lines]).toEqual([
      1,
      [
        expect.stringMatching(/^wrong\.js has 3 mistakes: skill 1: its name must be/),
        expect.stringMatching(/^wrong\.js: skill 1: its description must be/),
        expect.stringMatching(/^wrong\.js: skill 1: its uses has "secret"; there are/),
      ],
    ]);
  });

  it('take secrets from environment variables, and name the one that is missing', async () => {
    await writeFile(
      at('keyed.js'),
      `export default { name: 'keyed', description: 'Has a secret.', execute: () => 'ok', uses: { secrets: ['my_key'] } };`,
    );
    const tried = (more: object) => runCommand({ ...env, ...more }, 'skill-try', at('keyed.js'), '--input', '{}');
    expect((await tried({ my_key: 'a value' })).status).toBe(0);
    const { status, lines } = await tried({});
    expect([status, lines[0]]).toEqual([2, 'The module uses the secret my_key: set the environment variable my_key.']);
  });

  it('give settings from flags and a file', async () => {
    await writeFile(
      at('set.js'),
      `export default { name: 'set', description: 'Has settings.', execute: (input, { settings }) => ({ ...settings }),
        uses: { settings: { limit: { type: 'integer', default: 5 }, city: { type: 'string' }, on: { type: 'boolean' } } } };`,
    );
    await writeFile(at('values.json'), '{ "limit": 7, "on": true }');
    const values = async (...args: string[]) => {
      const { lines } = await runCommand(env, 'skill-try', at('set.js'), '--input', '{}', ...args);
      return (JSON.parse(lines.join('')) as { structuredContent: object }).structuredContent;
    };
    expect(await values()).toEqual({ limit: 5 });
    expect(await values('--settings', at('values.json'), '--set', 'city=12', '--set', 'limit=8')).toEqual({
      ...{ limit: 8, city: '12', on: true },
    });
    const refused = await runCommand(env, 'skill-try', at('set.js'), '--input', '{}', '--set', 'limit=many');
    expect([refused.status, refused.lines]).toEqual([1, ['values.limit must be an integer']]);
    expect((await runCommand(env, 'skill-try', at('set.js'), '--input', '{}', '--set', 'limit')).status).toBe(2);
    expect((await runCommand(env, 'skill-try', at('set.js'), '--input', '[]')).status).toBe(2);
  });
});
