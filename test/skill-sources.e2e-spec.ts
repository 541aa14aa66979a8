import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { CallCountStore } from '../src/access/audit/call-count.store.js';
import { SkillPackages } from '../src/features/packages/skill-packages.service.js';
import { packageOf, skillText } from '../src/features/packages/testing.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

const skillsOf = (...skills: [name: string, more?: string][]) =>
  `export default [${skills.map(([name, more = '']) => `{ name: '${name}', description: 'Does ${name}.', ${more} execute: () => 'x' }`).join()}];`;
const workflow = (name: string, version: string, more = '') => `
document: { dsl: 1.0.3, namespace: default, name: ${name}, version: ${version}, summary: Runs ${name}. }
${more}
do:
  - work: { set: { a: 1 } }
`;

interface Item {
  name: string;
  source: string;
  owner: string | null;
  state: string;
  problems: string[];
  inputSchema: object | null;
  calls: number;
  callsInDay: number;
}

describe('the list of skills', () => {
  let service: TestService;
  let folders: { SKILLS_DIR: string; WORKFLOWS_DIR: string };

  const list = async (query: string) => {
    const { status, body } = await service.admin('GET', `skills?limit=100&${query}`);
    expect(status).toBe(200);
    return body['items'] as Item[];
  };
  const states = async (query: string) =>
    (await list(query)).map(({ name, owner, state, inputSchema }) => [name, owner, state, inputSchema !== null]);
  const module = (file: string, code: string) => service.admin('POST', 'skill-modules', { file, code });

  beforeAll(async () => {
    const root = temporaryFolder();
    folders = { SKILLS_DIR: join(root, 'skills'), WORKFLOWS_DIR: join(root, 'workflows') };
    await mkdir(join(folders.SKILLS_DIR, 'torn'), { recursive: true });
    await mkdir(folders.WORKFLOWS_DIR);
    await writeFile(join(folders.SKILLS_DIR, 'broken.ts'), 'export default {\n  name: ,\n};');
    await writeFile(join(folders.SKILLS_DIR, 'torn/SKILL.md'), '---\nname: torn\n---\nNo description.\n');
    await writeFile(join(folders.WORKFLOWS_DIR, 'bad.yaml'), workflow('bad', '1.0.0').replace('set:', 'sett:'));
    service = await TestService.start({ env: folders });
    const packages = service.app.get(SkillPackages, { strict: false });
    for (const name of ['notes', 'hidden']) await packages.saveUpload(packageOf(name), 'admin');
    await packages.setEnabled('hidden', false, 'admin');
    await module('good.js', skillsOf(['good_one'], ['good_two']));
    await module('asks.js', skillsOf(['asks', `uses: { hosts: ['a.example'] },`]));
    await module('thief.js', skillsOf(['thief'], ['system_info']));
    await module('quiet.js', skillsOf(['quiet']));
    await service.admin('PUT', 'skill-modules/quiet/enabled', { enabled: false });
    for (const [name, more] of [['report'], ['parked'], ['hears', 'schedule: { on: { one: { with: { type: a } } } }']])
      await service.admin('POST', 'workflows', { definition: workflow(name ?? '', '1.0.0', more) });
    await service.admin('PUT', 'workflows/parked/enabled', { enabled: false });
    const definitions = service.app.get(WorkflowDefinitions, { strict: false });
    await definitions.propose(workflow('idea', '1.0.0'), { owner: 'ada' });
    await until(async () => (await list('state=broken')).length === 4);
  });
  afterAll(() => service.stop());

  it('says of modules what clients get of each skill, and why not', async () => {
    expect(await states('source=module')).toEqual([
      ['asks', 'asks', 'waiting', false],
      ['broken', null, 'broken', false],
      ['good_one', 'good', 'on', true],
      ['good_two', 'good', 'on', true],
      ['quiet', 'quiet', 'off', false],
      ['system_info', 'thief', 'broken', false],
      ['thief', 'thief', 'on', true],
    ]);
    const problems = (await list('source=module&state=broken')).flatMap((item) => item.problems);
    expect(problems).toEqual([
      expect.stringMatching(/broken\.ts:2/),
      'the skill name system_info is taken: rename one of the two skills',
    ]);
  });

  it('shows a module whose newer version waits or is broken, while clients have the older one', async () => {
    const approve = async () => {
      const { version, digest } = (await service.admin('GET', 'skill-modules/good')).body;
      await service.admin('PUT', 'skill-modules/good/approved', { version, digest });
    };
    await approve();
    await module('good.js', skillsOf(['good_one', `uses: { hosts: ['a.example'] },`], ['good_three']));
    expect(await states('q=good')).toEqual([
      ['good_one', 'good', 'waiting', true],
      ['good_three', 'good', 'waiting', false],
      ['good_two', 'good', 'waiting', true], // of the version that is served to clients
    ]);
    await approve();
    await until(async () => (await list('q=good_three&state=on')).length === 1);
    await module('good.js', skillsOf(['good_one', `uses: { hosts: ['b.example'] },`]));
    expect(await states('q=good')).toEqual([
      ['good_one', 'good', 'waiting', true],
      ['good_three', 'good', 'waiting', true],
    ]);
  });

  it('says of packages which clients get, and which have mistakes', async () => {
    expect(await states('source=package')).toEqual([
      ['hidden', 'hidden', 'off', false],
      ['notes', 'notes', 'on', false],
      ['torn', null, 'broken', false],
    ]);
    expect((await list('source=package&state=broken'))[0]?.problems).toEqual([
      expect.stringMatching(/^torn: .*description.*\(SKILL\.md:\d+\)$/),
    ]);
    await service.admin('PUT', 'config/packages.proposals', { value: 'on' });
    for (const [name, instructions] of [
      ['fresh', 'Do it.'],
      ['notes', 'Do it well.'],
    ])
      await service.postStateless('tools/call', {
        name: 'skill_propose',
        arguments: { name, description: `How to do ${name}.`, instructions },
      });
    expect(await states('source=package&state=waiting')).toEqual([
      ['fresh', null, 'waiting', false],
      ['notes', 'notes', 'waiting', false],
    ]);
    await writeFile(join(folders.SKILLS_DIR, 'torn/SKILL.md'), skillText('torn'));
    await until(async () => (await list('source=package&q=torn&state=on')).length === 1);
  });

  it('says of workflows which are tools', async () => {
    expect(await states('source=workflow')).toEqual([
      ['bad', null, 'broken', false],
      ['hears', 'hears', 'on', false],
      ['idea', 'idea', 'waiting', false],
      ['parked', 'parked', 'off', false],
      ['report', 'report', 'on', true],
    ]);
    expect((await list('source=workflow&state=broken'))[0]?.problems[0]).toMatch(/sett.*\(bad\.yaml:\d+\)$/s);
    expect((await list('q=runs report')).map(({ name }) => name)).toEqual(['report']);
  });

  it('says what is built in, and what an administrator has switched off', async () => {
    await service.admin('PUT', 'skills/system_info', { enabled: false });
    await service.admin('PUT', 'skills/report', { enabled: false });
    expect(await states('state=off&source=built-in')).toEqual([['system_info', null, 'off', true]]);
    expect(await states('state=off&q=report')).toEqual([['report', 'report', 'off', true]]);
    expect((await service.admin('GET', 'skills/report')).body).toMatchObject({ source: 'workflow', owner: 'report' });
    expect((await service.admin('GET', 'skills/notes')).status).toBe(404);
    await service.admin('PUT', 'skills/system_info', { enabled: true });
    expect((await service.admin('GET', 'skills?state=sleeping')).status).toBe(400);
    expect((await service.admin('GET', 'skills?source=elsewhere')).status).toBe(400);
  });

  it('counts the calls of tools and the uses of packages, in 30 days and in one', async () => {
    await service.postStateless('tools/call', { name: 'thief', arguments: {} });
    await service.postStateless('tools/call', { name: 'skill_read', arguments: { name: 'notes' } });
    await service.postStateless('tools/call', { name: 'system_info', arguments: {} });
    await service.app.get(AuditLog, { strict: false }).flush();
    const counts = service.app.get(CallCountStore, { strict: false });
    expect((await counts.sum({ of: 'skill', from: new Date(0) })).map(({ name }) => name)).toEqual(['notes']);
    const figures = async (query: string) =>
      (await list(query)).map(({ name, source, calls, callsInDay }) => [name, source, calls, callsInDay]);
    expect(await figures('period=month&q=thief')).toEqual([['thief', 'module', 1, 1]]);
    expect(await figures('period=month&source=package&q=notes')).toEqual([['notes', 'package', 1, 1]]);
    // The calls are counted for the tool that has the name now.
    expect(await figures('period=month&q=system_info')).toEqual([
      ['system_info', 'built-in', 1, 1],
      ['system_info', 'module', 0, 0],
    ]);
  });

  it('comes in pages that miss nothing', async () => {
    const all = (await list('')).map(({ name, source }) => `${name} ${source}`);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await service.admin('GET', `skills?limit=3${cursor && `&cursor=${cursor}`}`);
      paged.push(...(body['items'] as Item[]).map(({ name, source }) => `${name} ${source}`));
      cursor = body['nextCursor'] as string | null;
    }
    expect(all.length).toBeGreaterThan(20);
    expect(paged).toEqual(all);
  });
});
