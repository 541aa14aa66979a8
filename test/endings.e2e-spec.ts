import { setTimeout } from 'node:timers/promises';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { Housekeeping } from '../src/entrypoints/mcp/housekeeping.service.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { describeOnPostgres } from './support/postgres.js';
import { KEY, TestService } from './support/service.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 'seven',
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the end of a session', () => {
  let service: TestService;
  let session: Record<string, string>;
  beforeAll(async () => {
    service = await TestService.start({ imports: [TestSkillsModule] });
  });
  beforeEach(async () => {
    session = await service.openSession();
  });
  afterAll(() => service.stop());

  const idOf = () => session['mcp-session-id'] ?? '';
  const endings = {
    'an administrator ends it': () => service.admin('DELETE', `sessions/${idOf()}`),
    'its client ends it': () =>
      fetch(service.mcpUrl, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}`, ...session } }),
  };

  it.each(Object.entries(endings))('answers its calls when %s', async (_who, end) => {
    const hang = service.app.get(Hang);
    const response = service.post(call('hang'), session);
    await until(() => hang.running === 1);
    expect((await end()).status).toBeLessThan(300);
    const res = await response;
    expect([res.status, await res.json()]).toMatchObject([404, { id: 'seven', error: { code: -32001 } }]);
    await until(() => hang.running === 0);
    expect((await service.post(call('system_info'), session)).status).toBe(404);
  });

  it('comes when it is unused, not while a stream is open', async () => {
    await service.admin('PUT', 'config/mcp.session_idle_ms', { value: 1_000 });
    const unused = await service.openSession();
    const headers = { authorization: `Bearer ${KEY}`, ...session };
    const stream = await fetch(service.mcpUrl, { headers });
    const housekeeping = service.app.get(Housekeeping);
    const isThere = async (id = '') => {
      await housekeeping.tick(new Date());
      const { items } = (await service.admin('GET', 'sessions?limit=100')).body as { items: { id: string }[] };
      return items.some((item) => item.id === id);
    };
    await until(async () => !(await isThere(unused['mcp-session-id'])));
    expect(await isThere(idOf())).toBe(true);
    await stream.body?.cancel();
    await service.admin('DELETE', 'config/mcp.session_idle_ms');
  }, 120_000);
});

describeOnPostgres('streams on PostgreSQL', (serverUrl) => {
  it('whose clients hang up while they open leave nothing behind', async () => {
    const database = await newPostgresDatabase(serverUrl);
    const service = await TestService.start({ env: { DATABASE_URL: database.url } });
    const { endpoint } = service.app.get(McpTransport);
    const session = await service.openSession();
    const headers = { authorization: `Bearer ${KEY}`, ...session };
    for (let count = 0; count < 40; count += 1) {
      const hangUp = new AbortController();
      const opening = fetch(service.mcpUrl, { headers, signal: hangUp.signal }).then(
        (res) => res.text(),
        () => 'gone',
      );
      // At another moment each time.
      await setTimeout(count / 4);
      hangUp.abort();
      await opening.catch(() => 'gone');
    }
    await until(() => endpoint.counts().arriving === 0 && endpoint.counts().streams === 0);
    await service.stop();
    await database.drop();
  }, 120_000);
});
