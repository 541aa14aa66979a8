import { auditOn } from '../src/access/audit/testing.js';
import type { AuditItem } from '../src/access/audit/audit-entry.js';
import { Random } from './fuzz/random.js';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { sendStateless } from './harness/stateless-message.js';
import { describeOnEachDatabase } from './support/databases.js';
import { seedFrom } from './support/seed.js';
import { until } from './support/until.js';

const SEED = seedFrom('AUDIT_SEED');
const CALLS = Number(process.env['AUDIT_CALLS'] ?? 1_000);
const KILLS = 3;
const AT_ONCE = 8;
const CHANGE_EVERY = 25;
const [PASSWORD, KEY] = ['audit-crash-password', 'audit-crash-key-0123'];
const BASIC = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

describeOnEachDatabase('the audit log', (data) => {
  let server: ServerProcess | undefined;

  afterEach(() => server?.kill());

  it(`loses at most the last of ${CALLS} calls when it is killed, and no change (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const start = async () =>
      (server = await ServerProcess.start({
        env: {
          PORT: String(port),
          ADMIN_PASSWORD: PASSWORD,
          MCP_API_KEY: KEY,
          LOG_LEVEL: 'error',
          ...data.env,
        },
        readyPath: '/health/live',
      }));

    const lives: { answered: string[]; recorded: string }[] = [];
    const changes: number[] = [];
    let next = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = await start();
      const enough = Math.round((CALLS * (kill + 1)) / KILLS);
      const answered: string[] = [];
      let isOver = false;
      const work = async () => {
        while (!isOver) {
          const n = (next += 1);
          if (n % CHANGE_EVERY === 0) {
            const value = 1_000 + n;
            if (await put(origin, value).catch(() => false)) changes.push(value);
          } else if (await call(origin, n).catch(() => false)) answered.push(`tool${n}`);
        }
      };
      const workers = Array.from({ length: AT_ONCE }, work);
      while (next < enough) await new Promise((wake) => setTimeout(wake, random.integer(1, 20)));
      await until(() => answered.length > AT_ONCE);
      const recorded = answered.at(-1) ?? '';
      await until(() => isRecorded(origin, recorded));
      await new Promise((wake) => setTimeout(wake, random.integer(0, 500)));
      lives.push({ answered, recorded });
      await running.kill();
      isOver = true;
      await Promise.all(workers);
    }
    await (await start()).stop();

    const database = await data.open();
    const { chain, reader } = auditOn(database);
    expect(await chain.verify()).toMatchObject({ broken: null, isComplete: true });
    const queries = new Set<string>();
    const values = new Set<unknown>();
    for await (const line of reader.exportLines({})) {
      const { kind, arguments: args, after } = JSON.parse(line) as AuditItem;
      if (kind === 'call') queries.add((args as { query: string }).query);
      if (kind === 'change') values.add((after as { value: unknown }).value);
    }
    for (const { answered, recorded } of lives) {
      const last = answered.findLastIndex((tool) => queries.has(tool));
      expect(last).toBeGreaterThanOrEqual(answered.indexOf(recorded));
      // Calls that were answered concurrently may be recorded in any order.
      expect(answered.slice(0, last - AT_ONCE).filter((tool) => !queries.has(tool))).toEqual([]);
    }
    expect(changes.filter((value) => !values.has(value))).toEqual([]);
    expect([
      lives.flatMap(({ answered }) => answered).length > CALLS / 2,
      changes.length > CALLS / CHANGE_EVERY / 2,
    ]).toEqual([true, true]);
    await database.destroy();
  }, 600_000);
});

async function call(origin: string, n: number): Promise<boolean> {
  const params = { name: 'memory_search', arguments: { query: `tool${n}` } };
  const answer = await sendStateless(origin, KEY, 'tools/call', params);
  await answer.text();
  return answer.status === 200;
}

async function isRecorded(origin: string, tool: string): Promise<boolean> {
  const answer = await fetch(`${origin}/admin/api/audit?kind=call&q=${encodeURIComponent(`"${tool}"`)}`, {
    headers: { authorization: BASIC },
  });
  return ((await answer.json()) as { items: unknown[] }).items.length > 0;
}

async function put(origin: string, value: number): Promise<boolean> {
  const answer = await fetch(`${origin}/admin/api/config/mcp.tool_timeout_ms`, {
    method: 'PUT',
    headers: {
      authorization: BASIC,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ value }),
  });
  await answer.text();
  return answer.status === 200;
}
