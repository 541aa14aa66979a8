import { createServer, type IncomingMessage, type Server } from 'node:http';
import { listenOnLoopback, stopServer } from './support/loopback.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const TOKEN = 'tok-of-the-weather-1';

const workflow = (name: string, task: string) => `document:
  dsl: 1.0.3
  namespace: team
  name: ${name}
  version: 1.0.0
use: { secrets: [weather, other] }
do:
  - send: ${task}
`;

describe('a secret that may go only to some places', () => {
  const received: IncomingMessage[] = [];
  let service: TestService;
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push(request);
      if (request.url !== '/away') return void response.setHeader('content-type', 'text/plain').end('there');
      response.writeHead(307, { location: `http://localhost:${port}/there` }).end();
    });
    port = Number(new URL(await listenOnLoopback(server)).port);
    service = await TestService.start({
      env: { HTTP_ALLOWED_HOSTS: '["127.0.0.1","localhost"]' },
    });
    await service.admin('PUT', 'workflow-secrets/other', { value: 'not-used-by-anything', hosts: [], skills: [] });
    await service.admin('PUT', 'workflow-secrets/weather', {
      value: TOKEN,
      hosts: ['127.0.0.1'],
      skills: ['memory_search'],
    });
  });
  afterAll(async () => {
    await service.stop();
    await stopServer(server);
  });
  beforeEach(() => void received.splice(0));

  const ended = async (id: string) => {
    const run = async () => (await service.admin('GET', `runs/${id}`)).body;
    await until(async () => (await run())['endedAt'] !== null);
    const { status, output, error } = await run();
    return { status, output, error: error as { status?: number; detail?: string } | null };
  };
  const save = async (name: string, task: string) => {
    const { status } = await service.admin('POST', 'workflows', { definition: workflow(name, task) });
    expect(status).toBe(201);
  };
  const start = async (name: string) =>
    ended(String((await service.admin('POST', `workflows/${name}/start`, { input: {} })).body['id']));

  const request = (host: string, path = '') =>
    `{ call: http, with: { method: post, redirect: true, endpoint: { uri: 'http://${host}:${port}/${path}', authentication: { bearer: { token: '\${ $secrets.weather }' } } } } }`;
  const hostRefused = 'The secret weather may not be sent to localhost:';

  it('is sent to a host that it names, and to no other, also in a test of the task', async () => {
    await save('named', request('127.0.0.1'));
    expect(await start('named')).toMatchObject({ status: 'completed', output: 'there' });
    expect(received.splice(0).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`]);

    await save('elsewhere', request('localhost'));
    const refused = {
      status: 'failed',
      error: { status: 403, detail: expect.stringContaining(hostRefused) as string },
    };
    expect(await start('elsewhere')).toMatchObject(refused);
    const { body } = await service.admin('POST', 'workflows/elsewhere/test-task', { task: '/do/0/send', input: {} });
    expect(await ended(String(body['id']))).toMatchObject(refused);
    expect(received).toEqual([]);

    await service.admin('PUT', 'workflow-secrets/weather', { hosts: ['127.0.0.1', `localhost:${port}`] });
    expect(await start('elsewhere')).toMatchObject({ status: 'completed', output: 'there' });
    await service.admin('PUT', 'workflow-secrets/weather', { hosts: ['127.0.0.1'] });
  });

  it('stays behind when a redirect leads to another host, or keeps it from being followed', async () => {
    await save('away', request('127.0.0.1', 'away'));
    expect(await start('away')).toMatchObject({ status: 'completed', output: 'there' });
    expect(received.splice(0).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, undefined]);

    const body = `{ call: http, with: { method: post, redirect: true, endpoint: 'http://127.0.0.1:${port}/away', body: '\${ $secrets.weather }' } }`;
    await save('carried', body);
    expect((await start('carried')).error?.detail).toContain(hostRefused);
    expect(received.map(({ url }) => url)).toEqual(['/away']);
  });

  it('is passed to a skill that it names, and to no other', async () => {
    await save('searching', `{ call: memory_search, with: { query: '\${ $secrets.weather }' } }`);
    expect(await start('searching')).toMatchObject({ status: 'completed' });
    await save('saving', `{ call: memory_save, with: { key: leaked, content: '\${ $secrets.weather }' } }`);
    expect((await start('saving')).error).toMatchObject({
      status: 403,
      detail:
        'The secret weather may not be passed to the skill memory_save: an administrator can allow that skill on the page Secrets.',
    });
    expect((await service.admin('GET', 'memory?q=leaked')).body['items']).toEqual([]);
  });

  it('goes nowhere in disguise', async () => {
    await save(
      'turned',
      `{ call: memory_search, with: { query: '\${ $secrets.weather | explode | reverse | implode }' } }`,
    );
    expect((await start('turned')).error?.detail).toContain("expressions can't compute with it");
    await save('whole', `{ call: memory_search, with: { query: '\${ $secrets }' } }`);
    expect((await start('whole')).error?.detail).toContain('The secret other may not be passed');
  });
});
