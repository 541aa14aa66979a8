import { join } from 'node:path';
import { sql } from 'kysely';
import { Database } from '../src/platform/database/database.js';
import { sqliteFaults } from './faults/faults.js';
import { mountSmallDisk } from './faults/small-disk.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';
import { until } from './support/until.js';

const LONG = 'word '.repeat(20_000);

/** Limits the size of the database to its current one, or lifts the limit. */
async function fillDisk({ app }: TestService, isFull: boolean): Promise<void> {
  const database = app.get(Database);
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
  await sql.raw(`pragma max_page_count = ${isFull ? rows[0]?.page_count : 1_000_000}`).execute(database);
}

const packageOf = (text: string) =>
  Buffer.from(`---\nname: notes\ndescription: Takes notes.\n---\n${text}`).toString('base64');
const moduleOf = (text: string) =>
  `export default { name: 'greet', description: 'Greets.', async execute() { return 'hi'; } };\n// ${text}`;
const workflowOf = (
  text: string,
) => `document: { dsl: 1.0.3, namespace: default, name: greet, version: 1.0.${text.length} }
do: [{ greet: { set: { text: ${text} } } }]`;

describe('a full disk', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  const call = (name: string, args: object) => service.call(name, args);
  const openSession = async () => {
    const clientInfo = { name: 'x'.repeat(5_000), version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const body = (await response.json()) as { error: { message: string } };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  };
  it('answers a call on a stream even though the stream can’t be recorded', async () => {
    const session = await service.openSession();
    await fillDisk(service, true);
    const fill = async () => (await openSession()).status;
    for (let count = 0; count < 50 && (await fill()) === 200; count += 1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, id) => {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'system_info', arguments: {} } };
        const response = await service.post(message, { ...session, accept: 'text/event-stream' });
        return [response.status, /"id":\d+/.exec(await response.text())?.[0]];
      }),
    );
    await fillDisk(service, false);
    expect(answers).toEqual(Array.from({ length: 20 }, (_, id) => [200, `"id":${id}`]));
  });

  it('refuses to save with a clear message, loses nothing, and saves again when there is room', async () => {
    await call('knowledge_save', { title: 'Before', content: 'It was saved.' });
    await fillDisk(service, true);

    const result = await call('knowledge_save', { title: 'During', content: LONG });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]?.text).toMatch(/the disk is full, and nothing was saved: make room/);

    const refused = await service.admin('POST', 'knowledge', { title: 'During', content: LONG });
    // Either the save fails, or its audit entry, as there may be no space for the last entries.
    expect(refused.status).toBe(503);
    expect(['database.unavailable', 'audit.unavailable']).toContain(refused.body['code']);
    expect(refused.body['detail']).toContain('the disk is full');

    const refusals = await Promise.all(Array.from({ length: 20 }, () => openSession()));
    const session = refusals.find(({ status }) => status !== 200);
    expect(session).toMatchObject({ status: 503, retryAfter: '10' });
    expect(session?.body.error.message).toContain('the disk is full');

    const found = await call('knowledge_search', { query: 'before' });
    expect(found.content[0]?.text).toContain('It was saved.');
    expect((await call('knowledge_search', { query: 'during' })).content[0]?.text).toContain('Nothing');

    await fillDisk(service, false);
    expect((await call('knowledge_save', { title: 'After', content: LONG })).isError).toBeUndefined();
  });
});

describe('a full disk, on which an administrator saves', () => {
  const packages = { path: 'skill-packages', again: 'POST skill-packages', saved: 'skill-packages/notes' };
  const modules = { path: 'skill-modules', again: 'POST skill-modules', saved: 'skill-modules/greet' };
  const workflows = { path: 'workflows', again: 'PUT workflows/greet', saved: 'workflows/greet' };

  it.each([
    { what: 'skill package', ...packages, bodyOf: (text: string) => ({ file: 'SKILL.md', base64: packageOf(text) }) },
    { what: 'skill module', ...modules, bodyOf: (text: string) => ({ file: 'greet.js', code: moduleOf(text) }) },
    { what: 'workflow', ...workflows, bodyOf: (text: string) => ({ definition: workflowOf(text) }) },
  ])('leaves the $what as it was, and saves it when there is room', async ({ path, again, saved, bodyOf }) => {
    const service = await TestService.start();
    const [method = '', place = ''] = again.split(' ');
    try {
      expect((await service.admin('POST', path, bodyOf('short'))).status).toBe(201);
      const before = await service.admin('GET', saved);
      await fillDisk(service, true);
      const refused = await service.admin(method, place, bodyOf(LONG));
      expect(refused.status).toBe(503);
      expect(refused.body['detail']).toContain('the disk is full');
      expect(await service.admin('GET', saved)).toEqual(before);
      await fillDisk(service, false);
      expect([200, 201]).toContain((await service.admin(method, place, bodyOf(LONG))).status);
      expect(JSON.stringify(await service.admin('GET', saved))).not.toBe(JSON.stringify(before));
    } finally {
      await service.stop();
    }
  });
});

describe('a disk that is really full', () => {
  const disk = mountSmallDisk(100);
  let service: TestService;
  beforeAll(async () => {
    if (disk) service = await TestService.start({ env: { DATA_DIR: join(disk.path, 'data') } });
  });
  afterAll(async () => {
    await service?.stop();
    disk?.release();
  });

  const LARGE = 'word '.repeat(150_000);
  const save = (title: string) => service.admin('POST', 'knowledge', { title, content: `${title} ${LARGE}` });

  (disk ? it : it.skip)(
    'is reported, makes the service unready, and lets an administrator log in and remove documents to make room',
    async () => {
      const [filler] = sqliteFaults(disk?.path ?? '', { canBeFull: true }).slice(-1);
      const saved = await Promise.all(['One', 'Two', 'Three'].map(save));
      await filler?.begin();
      // At first, there is still free space inside the database files.
      while (saved.at(-1)?.status === 201 && saved.length < 30) saved.push(await save(`Document ${saved.length}`));
      expect(saved.pop()).toMatchObject({ status: 503, body: { code: 'database.unavailable' } });
      await until(async () => (await fetch(`${service.origin}/health/ready`)).status === 503);

      // Clients use up all remaining space, and keep trying.
      const flood = new AbortController();
      const flooding = [1, 2, 3].map(async () => {
        while (!flood.signal.aborted) await service.call('knowledge_save', { title: 'Flood', content: LONG });
      });
      for (let count = 0; count < 20; count += 1) {
        const login = await fetch(`${service.origin}/admin/api/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: service.origin },
          body: JSON.stringify({ password: ADMIN_PASSWORD }),
        });
        expect([count, login.status]).toEqual([count, 201]);
      }
      flood.abort();
      await Promise.all(flooding);
      const entries = await service.admin('GET', 'audit?kind=login&limit=100');
      expect(entries.body['items']).toHaveLength(20);

      await service.admin('DELETE', 'knowledge/flood');
      for (const { body } of saved) {
        expect(await service.admin('DELETE', `knowledge/${String(body['id'])}`)).toMatchObject({ status: 204 });
      }
      expect(await service.admin('GET', 'knowledge')).toMatchObject({ status: 200, body: { items: [] } });
      // The space of the deleted documents is free again, although the disk is as full as before.
      expect(await service.admin('POST', 'knowledge', { title: 'Small', content: 'It fits.' })).toMatchObject({
        status: 201,
      });

      await filler?.end();
      await until(async () => (await fetch(`${service.origin}/health/ready`)).status === 200);
      expect(await save('The last')).toMatchObject({ status: 201 });
    },
  );
});
