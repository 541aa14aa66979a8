import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { describeOnPostgres } from './support/postgres.js';
import { TestService } from './support/service.js';
import { sendToWebhook as send } from './support/webhook-sender.js';

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
    service.app.get(RunsService).alsoPublishTo(async ({ data }) => void heard.push(data));
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

  it('answers what it does not take with small problem documents', async () => {
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

  it('reads nothing of the body of a message that cannot be right', async () => {
    const port = Number(new URL(service.origin).port);
    for (const [path, status] of [
      ['nobody', 404],
      ['orders', 401],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      // The body is announced but never sent, so an answer shows that the service does not wait for it.
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

  it('keeps its secret through a restart, until it is rotated', async () => {
    service = await service.restart();
    expect((await send(service, 'orders', { secret })).outcome).toEqual([202, 'accepted']);
    const { body } = await service.admin('POST', 'webhooks/orders/rotate');
    expect((await send(service, 'orders', { secret, id: 'msg_2' })).outcome[0]).toBe(401);
    const rotated = String(body['secret']);
    expect((await send(service, 'orders', { secret: rotated, id: 'msg_2' })).outcome).toEqual([202, 'accepted']);
    expect((await send(service, 'orders', { secret: rotated, id: 'msg_1' })).outcome[0]).toBe(409);
    expect((await service.admin('DELETE', 'webhooks/orders')).status).toBe(204);
    expect((await send(service, 'orders', { secret: rotated, id: 'msg_3' })).outcome[0]).toBe(404);
  });
});

describeOnPostgres('a webhook on two replicas', (serverUrl) => {
  it('takes a message on one of them only', async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl);
    const [one, other] = [
      await TestService.start({ env: { DATABASE_URL: url } }),
      await TestService.start({ env: { DATABASE_URL: url } }),
    ];
    const secret = await create(one);
    const both = await Promise.all([one, other].map((replica) => send(replica, 'orders', { secret })));
    expect(both.map(({ response }) => response.status).sort()).toEqual([202, 409]);
    expect((await send(other, 'orders', { secret })).response.status).toBe(409);
    await one.stop();
    await other.stop();
    await drop();
  }, 120_000);
});
