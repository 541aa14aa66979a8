import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import type { Run } from '../src/features/workflows/runs/run.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { Database } from '../src/platform/database/database.js';
import { everythingIn } from '../src/platform/database/testing.js';
import { FeedServer, rssDocument } from './feeds/feed-server.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';
import { sendToWebhook as send } from './support/webhook-sender.js';
import { listenOnLoopback } from './support/loopback.js';

const SECRET = 'known-to-nobody-else';

const head = (name: string) =>
  `document: { dsl: '1.0.3', namespace: test, name: ${name}, version: '1.0.0', summary: A test. }\n`;
/** Returns a workflow that is started by an event and outputs its data. */
const hearing = (name: string, filter: string, tasks = '[{ note: { set: { heard: "${ .[0] }" } } }]') =>
  `${head(name)}schedule: { on: { one: { with: ${filter} } } }\ndo: ${tasks}\n`;

const save = (service: TestService, text: string) =>
  service.app.get(WorkflowDefinitions).save(text, { source: 'admin' });

/** Waits for a run of a workflow to end, even if more runs start in the meantime. */
async function endOf(service: TestService, name: string): Promise<Run> {
  const runs = service.app.get(RunsService);
  let ended: string | undefined;
  await until(async () => {
    const { items } = await runs.listPage({ name, limit: 10 });
    ended = items.find(({ endedAt }) => endedAt instanceof Date)?.id;
    return ended !== undefined;
  });
  return runs.get(ended ?? '');
}

describe('workflows that start by themselves', () => {
  let service: TestService;
  const servers: Server[] = [];
  beforeEach(async () => void (service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]' } })));
  afterEach(async () => {
    await service.stop();
    for (const server of servers.splice(0)) server.close();
  });

  it('receive events of documents, of the memory, and of each other', async () => {
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

  it('receive each item that arrives in a feed', async () => {
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

  it('receive what others emit, but not in the name of a person', async () => {
    await save(service, hearing('on_order', '{ type: order.placed }'));
    const emits = (type: string) =>
      `[{ send: { emit: { event: { with: { source: /shop, type: ${type}, data: { total: 1 } } } } } }]`;
    await save(service, hearing('on_message', '{ type: shop.message }', emits('order.placed')));
    const forged = `'\${ "person.answered" }'`; // the check rejects it as literal text
    await save(service, hearing('on_forgery', '{ type: shop.message }', emits(forged)));
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
    const origin = await listenOnLoopback(server);
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

describeOnNewPostgres('workflows that start by themselves, on two replicas', (database) => {
  it('start once for each event and each time', async () => {
    const { url } = database;
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
  });
});

const create = async (service: TestService, name = 'orders') => {
  const { status, body } = await service.admin('POST', 'webhooks', { name, eventType: 'shop.order.placed' });
  expect(status).toBe(201);
  return String(body['secret']);
};

describe('a webhook', () => {
  let service: TestService;
  let secret: string;
  let heard: unknown[];
  beforeEach(async () => {
    service = await TestService.start();
    secret = await create(service);
    heard = [];
    service.app.get(RunsService).subscribe(async ({ data }) => void heard.push(data));
  });
  afterEach(() => service.stop());

  it('takes signed messages without a key, each once', async () => {
    const { response, outcome } = await send(service, 'orders', { secret });
    expect([outcome, response.headers.get('content-type')]).toEqual([
      [202, 'accepted'],
      expect.stringMatching(/^application\/json/),
    ]);
    expect((await send(service, 'orders', { secret })).outcome).toEqual([409, 'webhooks.message_repeated']);
    expect((await send(service, 'orders', { secret, id: 'msg_2', body: '[2]' })).outcome).toEqual([202, 'accepted']);
    expect(heard).toEqual([{ a: 1 }, [2]]);
    const { body } = await service.admin('GET', 'webhooks');
    expect(body['items']).toEqual([
      {
        name: 'orders',
        path: '/hooks/orders',
        eventType: 'shop.order.placed',
        enabled: true,
        createdAt: expect.any(String) as string,
        lastReceivedAt: expect.any(String) as string,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(secret.slice(6));
  });

  it('rejects messages with small problem documents', async () => {
    const large = Buffer.alloc(256 * 1024 + 1, ' ');
    for (const [sent, outcome] of [
      [{ headers: { 'webhook-signature': 'v1,AAAA' } }, [401, 'webhooks.invalid_signature']],
      [{ headers: { 'content-type': 'text/plain' } }, [415, 'webhooks.http_415']],
      [{ headers: { 'content-type': 'application/json; charset=latin1' } }, [415, 'webhooks.http_415']],
      [{ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}') }, [415, 'webhooks.http_415']],
      [{ body: large }, [413, 'webhooks.http_413']],
      [{ body: 'no JSON' }, [400, 'webhooks.invalid_message']],
    ] as const) {
      const answered = await send(service, 'orders', { secret, ...sent });
      expect(answered.outcome).toEqual(outcome);
      expect(answered.response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(JSON.stringify(answered.answer).length).toBeLessThan(500);
    }
    expect((await send(service, 'others', { secret })).outcome).toEqual([404, 'webhooks.webhook_not_found']);
    await service.admin('PUT', 'webhooks/orders', { enabled: false });
    expect((await send(service, 'orders', { secret })).outcome).toEqual([404, 'webhooks.webhook_not_found']);
    expect(heard).toEqual([]);
  });

  it('refuses a body that grows too large while it arrives, and says so', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    const headers =
      'Content-Type: application/json\r\nwebhook-id: a\r\nwebhook-timestamp: 1\r\nwebhook-signature: v1,a\r\n';
    socket.write(`POST /hooks/orders HTTP/1.1\r\nHost: localhost\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`);
    const part = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let n = 0; n < 5; n += 1) socket.write(part);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    expect((await send(service, 'orders', { secret })).outcome).toEqual([202, 'accepted']);
  });

  it('is not blocked for its senders by an address whose messages never end', async () => {
    const port = Number(new URL(service.origin).port);
    const headers =
      'Content-Type: application/json\r\nContent-Length: 260000\r\nwebhook-id: a\r\nwebhook-timestamp: 1\r\nwebhook-signature: v1,a\r\n';
    const answers: string[] = [];
    const sockets = Array.from({ length: 70 }, () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      socket.on('data', (answer) => answers.push(answer.toString().slice(0, 12)));
      socket.write(`POST /hooks/orders HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${' '.repeat(250_000)}`);
      return socket;
    });
    await until(() => answers.length >= 62);
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 503']));
    expect((await send(service, 'orders', { secret, body: `{"a":"${'x'.repeat(100_000)}"}` })).outcome).toEqual([
      202,
      'accepted',
    ]);
    for (const socket of sockets) socket.destroy();
  });

  it('reads no body of a message that cannot be valid', async () => {
    const port = Number(new URL(service.origin).port);
    for (const [path, status] of [
      ['nobody', 404],
      ['orders', 401],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      // The body is announced but never sent, so a response shows that the service does not wait for it.
      socket.write(
        `POST /hooks/${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString().startsWith(`HTTP/1.1 ${status} `)).toBe(true);
      socket.destroy();
    }
  });

  it('makes an address wait that guesses, while right messages get in', async () => {
    const wrong = () => send(service, 'orders', { secret, headers: { 'webhook-signature': 'v1,AAAA' } });
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await wrong()).response.status);
    expect([new Set(statuses.slice(0, 30)), statuses[30]]).toEqual([new Set([401]), 429]);
    const { response, answer } = await wrong();
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.code).toBe('webhooks.too_many_wrong_signatures');
    expect((await send(service, 'orders', { secret })).outcome).toEqual([202, 'accepted']);
  });
});
