import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Database } from '../src/platform/database/database.js';
import { everythingIn, newPostgresDatabase } from '../src/platform/database/testing.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import type { Run } from '../src/features/workflows/runs/run.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { FeedServer, rssDocument } from './feeds/feed-server.js';
import { describeOnPostgres } from './support/postgres.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const SECRET = 'known-to-nobody-else';

const head = (name: string) =>
  `document: { dsl: '1.0.3', namespace: test, name: ${name}, version: '1.0.0', summary: A test. }\n`;
/** Returns a workflow that is started by an event and hands on what it tells. */
const hearing = (name: string, filter: string, tasks = '[{ note: { set: { heard: "${ .[0] }" } } }]') =>
  `${head(name)}schedule: { on: { one: { with: ${filter} } } }\ndo: ${tasks}\n`;

const save = (service: TestService, text: string) =>
  service.app.get(WorkflowDefinitions).save(text, { source: 'admin' });

/** Waits for the first run of a workflow to end. */
async function endOf(service: TestService, name: string): Promise<Run> {
  const runs = service.app.get(RunsService);
  const find = async () => (await runs.listPage({ name, limit: 1 })).items[0];
  await until(async () => (await find())?.endedAt instanceof Date);
  return runs.get((await find())?.id ?? '');
}

describe('workflows that start by themselves', () => {
  let service: TestService;
  const servers: Server[] = [];
  beforeEach(async () => void (service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]' } })));
  afterEach(async () => {
    await service.stop();
    for (const server of servers.splice(0)) server.close();
  });

  it('hear of documents, of the memory, and of each other', async () => {
    await save(service, hearing('on_document', '{ type: document.saved, data: "${ .title == \\"Shared\\" }" }'));
    await save(service, hearing('on_memory', '{ type: memory.removed }'));
    await save(service, hearing('on_end', '{ type: run.ended, data: { name: on_document } }'));
    await service.admin('POST', 'knowledge', { title: 'Shared', content: 'By all.' });
    await service.admin('POST', 'memory', { key: 'color', content: 'Blue.' });
    await service.admin('DELETE', 'memory/shared/color');
    expect((await endOf(service, 'on_document')).output).toMatchObject({
      heard: { title: 'Shared', excerpt: 'By all.' },
    });
    expect((await endOf(service, 'on_memory')).output).toMatchObject({ heard: { uri: 'memory://shared/color' } });
    expect((await endOf(service, 'on_end')).output).toMatchObject({ heard: { status: 'completed', origin: 'event' } });
  });

  it('hear of each item that arrives in a feed', async () => {
    const publisher = await FeedServer.start();
    publisher.publish('/a', rssDocument('News', [{ id: '1' }]));
    await save(service, hearing('on_item', '{ type: feed.item.arrived, data: { isBacklog: false } }'));
    const { body } = await service.admin('POST', 'feeds', { url: publisher.url('/a') });
    publisher.publish('/a', rssDocument('News', [{ id: '2', text: 'Second' }, { id: '1' }]));
    await service.admin('POST', `feeds/${String(body['id'])}/refresh`);
    const { output } = await endOf(service, 'on_item');
    expect(output).toMatchObject({ heard: { feed: { title: 'News' }, item: { title: 'Item 2' } } });
    expect((await service.app.get(RunsService).listPage({ name: 'on_item', limit: 10 })).items).toHaveLength(1);
    publisher.stop();
  });

  it('hear what others emit, but not in the name of a person', async () => {
    await save(service, hearing('on_order', '{ type: order.placed }'));
    const emits = (type: string) =>
      `[{ send: { emit: { event: { with: { source: /shop, type: ${type}, data: { total: 1 } } } } } }]`;
    await save(service, hearing('on_message', '{ type: shop.message }', emits('order.placed')));
    await save(service, hearing('on_forgery', '{ type: shop.message }', emits('person.answered')));
    const event = { specversion: '1.0', id: '1', source: '/hooks/shop', type: 'shop.message', data: {} } as const;
    await service.app.get(RunsService).publish(event);
    expect((await endOf(service, 'on_order')).output).toEqual({ heard: { total: 1 } });
    const { status, error } = await endOf(service, 'on_forgery');
    expect([status, error?.detail]).toEqual(['failed', expect.stringContaining('only the service itself sends')]);
  });

  it('start at the times of their schedule', async () => {
    await save(
      service,
      `${head('sweep')}schedule: { every: { seconds: 1 } }\ndo: [{ note: { set: { done: true } } }]\n`,
    );
    const { origin, client, output } = await endOf(service, 'sweep');
    expect([origin, client, output]).toEqual(['schedule', 'service', { done: true }]);
    await service.app.get(WorkflowDefinitions).setEnabled('sweep', false);
  });

  it('use secrets that no table, no answer and no error shows', async () => {
    const received: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers.authorization);
      response
        .writeHead(request.url === '/right' ? 200 : 500, { 'content-type': 'application/json' })
        .end('{"ok":true}');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await service.admin('PUT', 'workflow-secrets/weather', { value: { token: SECRET } });
    const calls = (path: string) =>
      `[{ ask: { call: http, with: { method: get, endpoint: { uri: '${origin}/${path}', authentication: { bearer: { use: weather } } } } } }]`;
    for (const path of ['right', 'wrong', 'unreachable']) {
      const tasks = path === 'unreachable' ? calls(path).replace(origin, 'http://127.0.0.1:1') : calls(path);
      const text = hearing(path, '{ type: shop.message }', tasks).replace(
        'schedule:',
        'use: { secrets: [weather] }\nschedule:',
      );
      await save(service, text);
    }
    const event = { specversion: '1.0', id: '1', source: '/hooks/shop', type: 'shop.message', data: {} } as const;
    await service.app.get(RunsService).publish(event);
    const runs = await Promise.all(['right', 'wrong', 'unreachable'].map((name) => endOf(service, name)));
    expect(runs.map(({ status, output }) => [status, output])).toEqual([
      ['completed', { ok: true }],
      ['failed', null],
      ['failed', null],
    ]);
    expect(received).toEqual([`Bearer ${SECRET}`, `Bearer ${SECRET}`]);
    const everything = await everythingIn(service.app.get(Database));
    expect(everything).toContain(runs[0]?.id);
    expect(everything).not.toContain(SECRET);
    const answers = ['workflow-secrets', ...runs.flatMap(({ id }) => [`runs/${id}`, `runs/${id}/steps`])];
    for (const path of answers) expect(JSON.stringify(await service.admin('GET', path))).not.toContain(SECRET);
  });
});

describeOnPostgres('workflows that start by themselves, on two replicas', (serverUrl) => {
  it('start once for each event and each time', async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl);
    const [one, other] = [
      await TestService.start({ env: { DATABASE_URL: url } }),
      await TestService.start({ env: { DATABASE_URL: url } }),
    ];
    await save(one, hearing('on_document', '{ type: document.saved }'));
    await save(one, `${head('sweep')}schedule: { every: { seconds: 1 } }\ndo: [{ note: { set: { done: true } } }]\n`);
    const definitions = other.app.get(WorkflowDefinitions);
    await until(async () => (await definitions.listEnabled()).length === 2);
    await other.admin('POST', 'knowledge', { title: 'Shared', content: 'By all.' });
    await endOf(one, 'on_document');
    const runs = one.app.get(RunsService);
    const sweeps = async () => (await runs.listPage({ name: 'sweep', limit: 100 })).items;
    await until(async () => (await sweeps()).length >= 4);
    await other.stop();
    await until(async () => (await sweeps()).length >= 6);
    const { rows } = await sql<{ keys: number; runs: number }>`
      select count(distinct idempotency_key)::int as keys, count(*)::int as runs from workflow_runs where name = 'sweep'`.execute(
      one.app.get(Database),
    );
    expect(rows[0]?.keys).toBe(rows[0]?.runs);
    expect((await runs.listPage({ name: 'on_document', limit: 10 })).items).toHaveLength(1);
    await one.stop();
    await drop();
  }, 120_000);
});
