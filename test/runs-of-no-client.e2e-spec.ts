import { jest } from '@jest/globals';
import { ADMIN_CLIENT } from '../src/access/audit/audit-entry.js';
import { ClientsService } from '../src/access/clients/clients.service.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { VisibleRuns } from '../src/features/workflows/runs/visible-runs.service.js';
import { SERVICE_CLIENT } from '../src/features/workflows/runs/run.js';
import { Database } from '../src/platform/database/database.js';
import { answerIn } from './harness/stateless-message.js';
import { createClient, type TestClient } from './support/client-keys.js';
import { TestService } from './support/service.js';

const ENDLESS = `- wait: { wait: P100D }`;
const definitionOf = (name: string, more = '') => `document:
  dsl: 1.0.3
  namespace: team
  name: ${name}
  version: 1.0.0
${more}do:
  ${ENDLESS}
`;
const OF_PEOPLE = '  tags: { of: people }\n';
const ON_EVENT = 'schedule: { on: { one: { with: { type: com.example.hired } } } }\n';
const DEFINITIONS = {
  report: definitionOf('report'),
  salaries: definitionOf('salaries', OF_PEOPLE),
  hired: definitionOf('hired', OF_PEOPLE + ON_EVENT),
  named: definitionOf('named'),
  removed: definitionOf('removed', OF_PEOPLE),
  lost: definitionOf('lost'),
};
const POLICIES = {
  'no-people': `forbid (principal in Group::"guests", action == Action::"callTool", resource) when { resource.tags.contains("of:people") };`,
  'not-named': `forbid (principal in Group::"guests", action == Action::"callTool", resource == Tool::"named");`,
};

describe('runs that a schedule, an event or an administrator started', () => {
  let service: TestService;
  const clients = {} as Record<'guest' | 'member', TestClient>;
  /** By workflow: the runs that an administrator and a schedule or an event started. */
  const runs = {} as Record<keyof typeof DEFINITIONS, string[]>;
  let trial: string;
  let ownOfMember: string;

  const send = async (who: keyof typeof clients, method: string, params: object) => {
    const response = await service.postStateless(method, { ...params }, clients[who].headers);
    return JSON.stringify(await answerIn(response));
  };
  const call = (who: keyof typeof clients, name: string, args: object) =>
    send(who, 'tools/call', { name, arguments: args });
  const idsIn = (text: string) => new Set(text.match(/[0-9a-f]{32}/g));

  /** Lists the runs in pages of one, and returns their ids. */
  const listedOneByOne = async (who: keyof typeof clients) => {
    const listed: string[] = [];
    for (let before: object = {}; ; before = { before: `run://${listed.at(-1)}` }) {
      const text = await call(who, 'run_list', { limit: 1, ...before });
      const [id = '', next] = text.match(/[0-9a-f]{32}/g) ?? [];
      listed.push(id);
      if (text.includes('There are older ones: call again with before')) expect(next).toBe(id);
      else {
        expect(await call(who, 'run_list', { before: id })).toContain(`There are none before ${id}.`);
        return listed.sort();
      }
    }
  };

  beforeAll(async () => {
    service = await TestService.start();
    clients.guest = await createClient(service, 'guest', { groups: ['guests'] });
    clients.member = await createClient(service, 'member');
    const all = service.app.get(RunsService, { strict: false });
    const start = async (name: string, change: object) => {
      const program = { program: 'workflow', name, version: '1.0.0', input: {}, idempotencyKey: null } as const;
      return (await all.start({ ...program, client: SERVICE_CLIENT, origin: 'schedule', isTest: false, ...change })).id;
    };
    for (const [name, definition] of Object.entries(DEFINITIONS)) {
      expect((await service.admin('POST', 'workflows', { definition })).status).toBe(201);
      const byAdmin = { client: ADMIN_CLIENT, origin: 'admin' };
      runs[name as keyof typeof DEFINITIONS] = [await start(name, byAdmin), await start(name, {})];
    }
    trial = await start('report', { client: ADMIN_CLIENT, origin: 'admin', isTest: true });
    const member = service.app.get(ClientsService, { strict: false }).find('member');
    ownOfMember = await start('report', { client: member, origin: 'call' });
    for (const name of ['removed', 'lost']) await service.admin('DELETE', `workflows/${name}`);
    const database = service.app.get(Database, { strict: false });
    await database.deleteFrom('workflow_versions').where('name', '=', 'lost').execute();
    for (const [name, policy] of Object.entries(POLICIES))
      expect((await service.admin('POST', 'policies', { name, policy })).status).toBe(201);
  });
  afterAll(() => service.stop());

  it('are seen by the clients that may call their workflow', async () => {
    const { lost, ...known } = runs;
    const seen = { guest: new Set(runs.report), member: new Set([...Object.values(known).flat(), ownOfMember]) };
    expect(await call('guest', 'run_list', { before: ownOfMember })).toContain(`There is no run ${ownOfMember}`);
    for (const who of ['guest', 'member'] as const) {
      expect(idsIn(await call(who, 'run_list', { limit: 50 }))).toEqual(seen[who]);
      expect(await listedOneByOne(who)).toEqual([...seen[who]].sort());
      expect(idsIn(await send(who, 'resources/list', {}))).toEqual(seen[who]);
      const completed = new Set<string>();
      for (const first of '0123456789abcdef') {
        const completion = {
          ref: { type: 'ref/resource', uri: 'run://{id}' },
          argument: { name: 'id', value: first },
        };
        for (const id of idsIn(await send(who, 'completion/complete', completion))) completed.add(id);
      }
      expect(completed).toEqual(seen[who]);
      for (const id of [...seen.member, ...lost, trial]) {
        const may = seen[who].has(id);
        expect(await call(who, 'run_status', { id })).toMatch(may ? /waiting/ : /There is no run/);
        expect(await send(who, 'resources/read', { uri: `run://${id}` })).toMatch(may ? /waiting/ : /not found/);
      }
    }
  });

  it('are not said to be none when all of those looked at are hidden and more follow', async () => {
    const page = { items: [], nextCursor: 'more' };
    const list = jest.spyOn(service.app.get(VisibleRuns, { strict: false }), 'listBefore').mockResolvedValue(page);
    expect(await call('guest', 'run_list', {})).toContain('None of the newest 1000 is for you; there are older ones');
    expect(await call('guest', 'run_list', { before: trial })).toContain(`None of the 1000 before ${trial} is for you`);
    list.mockRestore();
  });

  it('are cancelled by administrators only', async () => {
    const [id = ''] = runs.report;
    expect(await call('member', 'run_cancel', { id })).toContain('an administrator can cancel it under Runs');
    const [hidden = ''] = runs.salaries;
    expect(await call('guest', 'run_cancel', { id: hidden })).toContain('There is no run');
    expect((await service.admin('GET', `runs/${id}`)).body).toMatchObject({ status: 'waiting' });
    await service.admin('POST', `runs/${id}/cancel`);
    expect((await service.admin('GET', `runs/${id}`)).body).toMatchObject({ status: 'cancelled' });
  });
});
