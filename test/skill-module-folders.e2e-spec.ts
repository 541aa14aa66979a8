import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { ModuleFolder } from '../src/features/modules/folder/module-folder.service.js';
import { SkillModules } from '../src/features/modules/modules.service.js';
import { ModuleStore } from '../src/features/modules/module.store.js';
import { parseEnvironment } from '../src/platform/environment/environment.js';
import type { TestService } from './support/service.js';
import { skillsServiceForSuite } from './support/skills-service.js';
import { unprivileged } from './support/unprivileged.js';
import { until } from './support/until.js';

const INDEX = `import { skill } from 'agent-service/skill';
import { greet, type Greeting } from './lib/greet.ts';

export default skill<Greeting>({
  name: 'greet', description: 'Greets.', input: { type: 'object', properties: { who: { type: 'string' } } },
  execute: (input) => greet(input),
});`;
const greet = (word: string) => `export interface Greeting { who: string }
export function greet({ who }: Greeting): string {
  if (who === '') throw new Error('nobody is there');
  return \`${word} \${who}\`;
}`;

interface Module {
  version: number;
  file: string;
  source: string;
  problems: string[];
  files: { path: string; code: string }[];
  versions: { digest: string }[];
}

describe('a folder with a skill', () => {
  let service: TestService;
  let folder: string;
  skillsServiceForSuite((started, path) => ([service, folder] = [started, path]));

  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const module = async (name: string) => (await service.admin('GET', `skill-modules/${name}`)).body as object as Module;
  const call = async (who: string) => (await service.call('greet', { who })).content[0]?.text ?? '';
  const answers = (text: string) => until(async () => (await call('Ada')) === text);
  const upload = (file: string, files: Record<string, string>) => {
    const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
    return service.admin('POST', 'skill-modules', { file, base64: Buffer.from(bytes).toString('base64') });
  };

  it('is a module of all its files: a change of one makes a new version, and errors name file and line', async () => {
    await put('.hidden/index.ts', INDEX);
    await put('.hidden/lib/greet.ts', greet('Hello'));
    await put('.hidden/lib/greet.test.ts', 'not read');
    await rename(join(folder, '.hidden'), join(folder, 'greeter'));
    await answers('Hello Ada');
    expect(await call('')).toContain('nobody is there (greeter/lib/greet.ts:3:25)');
    const first = await module('greeter');
    expect(first).toMatchObject({ file: 'greeter/index.ts', source: 'folder', version: 1, problems: [] });
    expect(first.files.map(({ path }) => path)).toEqual(['greeter/index.ts', 'greeter/lib/greet.ts']);
    await put('greeter/lib/greet.ts', greet('Good day,'));
    await answers('Good day, Ada');
    const second = await module('greeter');
    expect([second.version, second.versions.length]).toEqual([2, 2]);
    const { body } = await service.admin('GET', 'skill-modules/greeter/versions/1/code');
    expect(body['files']).toEqual(first.files);
    expect((await service.admin('GET', 'skill-packages')).body).toMatchObject({ items: [], brokenFolders: [] });
  });

  it('stays a module while it cannot be read, which is shown, also after a restart', async () => {
    await put('other.js', `export default { name: 'other', description: 'Is there, too.', execute: () => 1 };`);
    await chmod(folder, 0o755);
    await chmod(join(folder, 'greeter'), 0);
    const running = service.app.get(ModuleFolder, { strict: false });
    const restarted = new ModuleFolder(parseEnvironment({ SKILLS_DIR: folder }), service.app.get(SkillModules));
    const broken = await unprivileged(async () => {
      for (const scans of [running, restarted]) for (let times = 0; times < 3; times += 1) await scans.scan();
      return running.listBroken();
    });
    const problem = 'cannot be read (EACCES): let the service read the folder and all in it';
    expect(broken).toEqual([{ file: 'greeter/index.ts', name: 'greeter', problems: [problem] }]);
    expect((await module('greeter')).version).toBe(2);
    await chmod(join(folder, 'greeter'), 0o755);
    await until(async () => (await running.scan(), (await module('greeter')).problems.length === 0));
    await rm(join(folder, 'other.js'));
    await restarted.beforeApplicationShutdown();
  });

  it('keeps its last version while a file is missing or has errors, and names it', async () => {
    await rm(join(folder, 'greeter/lib/greet.ts'));
    const problem = async (pattern: RegExp) =>
      until(async () => pattern.test((await module('greeter')).problems.join(' ')));
    await problem(/greeter\/index\.ts imports "\.\/lib\/greet\.ts", which is not there/);
    expect(await call('Ada')).toBe('Good day, Ada');
    await put('greeter/lib/greet.ts', 'export const greet = ;');
    await problem(/greeter\/lib\/greet\.ts:1/);
    expect(await call('Ada')).toBe('Good day, Ada');
    expect((await service.admin('GET', 'skills?q=greet&state=broken')).body['items']).toHaveLength(1);
    service = await service.restart();
    expect(await call('Ada')).toBe('Good day, Ada');
    await put('greeter/lib/greet.ts', greet('Welcome,'));
    await answers('Welcome, Ada');
    await put('greeter.js', `export default { name: 'x', description: 'x', execute: () => 1 };`);
    await until(async () => JSON.stringify((await service.admin('GET', 'skill-modules')).body).includes('rename one'));
    await rm(join(folder, 'greeter.js'));
    // It is retried after a failure of the database.
    const failing = jest
      .spyOn(service.app.get(ModuleStore, { strict: false }), 'retire')
      .mockRejectedValueOnce(new Error('the connection was lost'));
    await rm(join(folder, 'greeter'), { recursive: true });
    await until(() => failing.mock.calls.length > 0);
    await put('notes.md', 'makes the service look again');
    await until(async () => (await service.admin('GET', 'skill-modules/greeter')).status === 404);
  });

  it('takes the place of the file that it was, as a new version', async () => {
    const one = `export default { name: 'split', description: 'Splits.', execute: () => 1 };`;
    await put('split.js', one);
    await until(async () => (await module('split')).version === 1);
    await put('.split/index.js', one.replace('1 }', '2 }'));
    await rm(join(folder, 'split.js'));
    await rename(join(folder, '.split'), join(folder, 'split'));
    const broken = new Set<unknown>();
    await until(async () => {
      for (const one of (await service.admin('GET', 'skill-modules')).body['brokenFiles'] as object[]) broken.add(one);
      return (await module('split')).file === 'split/index.js';
    });
    expect([...broken]).toEqual([]);
    expect(await module('split')).toMatchObject({ version: 2, problems: [] });
  });

  it('is uploaded as an archive, in versions', async () => {
    const files = (word: string) => ({ 'greeter/index.ts': INDEX, 'greeter/lib/greet.ts': greet(word) });
    expect(await upload('greeter-main.zip', files('Hi'))).toMatchObject({
      status: 201,
      body: { name: 'greeter', file: 'greeter/index.ts', source: 'upload', version: 1 },
    });
    await answers('Hi Ada');
    expect((await upload('greeter-main.zip', files('Hi'))).body).toMatchObject({ version: 1 });
    expect((await upload('greeter-main.zip', files('Ho'))).body).toMatchObject({ version: 2 });
    await answers('Ho Ada');
    for (const [file, content, says] of [
      ['a.zip', { 'a/lib.ts': '' }, 'has no index.ts'],
      ['a.zip', { 'index.ts': `import '../../b.ts'; export default {};` }, 'which is not there'],
      ['a b.zip', { 'index.ts': INDEX, 'lib/greet.ts': greet('') }, 'needs a name such as weather (at most 64 letters'],
      ['a.zip', { 'index.ts': 'export default { name: 1 };' }, 'execute'],
    ] as const) {
      const { status, body } = await upload(file, content);
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(says)]);
    }
    const garbage = await service.admin('POST', 'skill-modules', { file: 'a.zip', base64: 'UEsDBA==' });
    expect(garbage.body).toMatchObject({ status: 400, code: 'modules.invalid' });
  });
});
