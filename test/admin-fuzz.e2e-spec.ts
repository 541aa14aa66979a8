import type { AdminDoor } from './fuzz-admin/admin-door.js';
import { fuzzAdmin, type Tally } from './fuzz-admin/admin-fuzz.js';
import { operationsOf } from './fuzz-admin/operations.js';
import { ServedAdmin } from './fuzz-admin/served-admin.js';
import type { ServerProcess } from './harness/server-process.js';
import { sendStateless } from './harness/stateless-message.js';
import { DATABASES, describeOnEachDatabase } from './support/databases.js';
import { seedFrom } from './support/seed.js';
import { until } from './support/until.js';

/** The number of requests in total, shared among the databases. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 5_000);
const SEED = seedFrom('FUZZ_SEED');
const TIME_LIMIT_MS = 300_000 + REQUESTS * 60;
const HEAP_MARGIN_BYTES = 32 * 1_024 * 1_024;
const KEY = 'the-key-after-the-fuzz';

describeOnEachDatabase('the admin API, sent whatever its description suggests,', (data) => {
  let served: ServedAdmin;
  let server: ServerProcess;
  let door: AdminDoor;

  beforeAll(async () => {
    served = await ServedAdmin.start(data);
    ({ server, door } = served);
  });
  afterAll(() => served?.stop());

  it(
    'always answers, never in another form or with a 5xx other than 503, does not leak, and goes on serving',
    async () => {
      process.stdout.write(`FUZZ_SEED=${SEED} (admin API on ${data.dialect})\n`);
      const operations = operationsOf(await door.document());
      const fuzz = { door, operations, inventory: await door.inventory(), seed: SEED };
      const tally: Tally = new Map();
      const share = Math.ceil(REQUESTS / DATABASES.length);
      const warmUp = Math.floor(share / 3); // so that one-time compilation and caching do not count as a leak
      const complaints = await fuzzAdmin(fuzz, 0, warmUp, tally);
      const heapBefore = await server.ask('heap');
      complaints.push(...(await fuzzAdmin(fuzz, warmUp, share, tally)));

      process.stdout.write(`${JSON.stringify(Object.fromEntries(tally))}\n`);
      expect(complaints.slice(0, 20)).toEqual([]);
      expect([server.isRunning, server.lastOutput]).toEqual([true, expect.not.stringMatching(/unhandled|uncaught/i)]);
      await until(async () => (await server.ask('heap')) < heapBefore + HEAP_MARGIN_BYTES);
      // Proves that requests got past the first checks.
      expect([...tally.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404, 415]));
      expect(await servesCalls()).toBe(200);
    },
    TIME_LIMIT_MS,
  );

  async function servesCalls(): Promise<number> {
    for (const { key } of (await door.inventory()).settings) await door.call('DELETE', `config/${key}`);
    await door.call('PUT', 'config/mcp.api_key', { value: KEY });
    await door.call('PUT', 'skills/system_info', { enabled: true });
    const response = await sendStateless(`http://127.0.0.1:${door.port}`, KEY, 'tools/call', { name: 'system_info' });
    await response.body?.cancel();
    return response.status;
  }
});
