import { createServer, type Server } from 'node:http';
import { rssDocument } from './feeds/feed-server.js';
import type { AdminDoor } from './fuzz-admin/admin-door.js';
import { complaintsAbout } from './fuzz-admin/complaints.js';
import { completeBodies, SUBJECT } from './fuzz-admin/complete-bodies.js';
import { DescribedBodies } from './fuzz-admin/described-bodies.js';
import { deviationsOf } from './fuzz-admin/deviations.js';
import { type Operation, operationsOf } from './fuzz-admin/operations.js';
import { isMembers, resolved, type Schema } from './fuzz-admin/samples.js';
import { ServedAdmin } from './fuzz-admin/served-admin.js';
import { written } from './fuzz-admin/written-request.js';
import { describeOnEachDatabase } from './support/databases.js';
import { listenOnLoopback } from './support/loopback.js';

/** Lists whose items are created under a given name. */
const NAMED = [
  'memory',
  'administrators',
  'login-providers',
  'clients',
  'policies',
  'workflows',
  'webhooks',
  'skill-packages',
  'skill-modules',
];
const TIME_LIMIT_MS = 300_000;
/** Too many wrong passwords lock everyone out, so these only get bodies that fail validation. */
const LOGINS = ['POST /admin/api/session', 'PUT /admin/api/account/password'];
/**
 * Valid requests that cannot succeed: nobody has asked, the run has succeeded, no event starts the workflow, and nothing is
 * proposed.
 */
const REFUSED = [
  'POST /admin/api/runs/{id}/answers',
  'POST /admin/api/runs/{id}/repeat',
  'POST /admin/api/workflows/{name}/start',
  'POST /admin/api/skill-package-proposals/{id}/accept',
];

describeOnEachDatabase('the bodies that the admin API describes', (data) => {
  let served: ServedAdmin;
  let door: AdminDoor;
  let described: DescribedBodies;
  let operations: Map<string, Operation>;
  /** Operations without a body that change nothing. */
  let reads: Operation[];
  let schemas: Record<string, Schema>;
  /** Ids, by the first segment of a path. */
  let ids: Record<string, string>;
  let count = 0;
  let publisher: Server;
  let origin: string;

  beforeAll(async () => {
    publisher = createServer((_request, response) => void response.end(rssDocument('News', [])));
    origin = await listenOnLoopback(publisher);
    served = await ServedAdmin.start(data);
    door = served.door;
    const document = await door.document();
    schemas = document.components.schemas;
    described = new DescribedBodies(document);
    const all = operationsOf(document);
    reads = all.filter(({ method }) => method === 'GET');
    operations = new Map(
      all.filter(({ body }) => body !== null).map((operation) => [`${operation.method} ${operation.path}`, operation]),
    );
    ids = { 'skill-package-proposals': '1' };
    await door.call('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
    for (const collection of ['knowledge', 'feeds']) {
      const { id } = (await door.call('POST', collection, bodyOf(`POST /admin/api/${collection}`))) as { id: string };
      ids[collection] = id;
    }
    for (const collection of NAMED)
      await door.call('POST', collection, bodyOf(`POST /admin/api/${collection}`, SUBJECT));
    const { id } = (await door.call('POST', `workflows/${SUBJECT}/start`, {})) as { id: string };
    ids['runs'] = id;
  });
  afterAll(async () => {
    await served?.stop();
    publisher.close();
  });

  const bodiesFor = (name: string) => {
    return completeBodies({ name, documentId: ids['knowledge'] ?? '', origin });
  };

  const bodyOf = (key: string, name = `n${(count += 1)}`): unknown => bodiesFor(name)[key];

  const send = (operation: Operation, body: unknown) => {
    const [, , , collection = ''] = operation.path.split('/');
    const path = {
      id: ids[collection] ?? 'none',
      key: collection === 'config' ? 'mcp.tool_timeout_ms' : SUBJECT,
      name: collection === 'skills' ? 'system_info' : SUBJECT,
      namespace: 'shared',
      ...{ version: '1', before: '1', seq: '1', feed: ids['feeds'] ?? '', provider: SUBJECT },
    };
    const request = written({ operation, method: operation.method, path, query: [], body });
    return door.send(request).then((answer) => ({ request, answer }));
  };

  it('are known to this test, with all their members', () => {
    expect(Object.keys(bodiesFor('')).sort()).toEqual([...operations.keys()].sort());
    const missing = [...operations].flatMap(([key, { body }]) => membersWithout(bodyOf(key), body ?? {}, key));
    expect(missing).toEqual([]);

    function membersWithout(value: unknown, schema: Schema, where: string): string[] {
      const { properties = {}, items = {} } = resolved(schema, schemas);
      if (Array.isArray(value)) return value.flatMap((item) => membersWithout(item, items, where));
      return Object.entries(properties).flatMap(([name, member]) =>
        isMembers(value) && name in value
          ? membersWithout(value[name], member, `${where}.${name}`)
          : [`${where}.${name}`],
      );
    }
  });

  it('are taken as described, and answered so', async () => {
    const refused: string[] = [];
    const deviations: string[] = [];
    for (const [key, operation] of operations) {
      if (LOGINS.includes(key)) continue;
      // An approval must name the current content.
      const body = key.endsWith('/approved') ? bodyOf(key, SUBJECT) : bodyOf(key);
      const { answer } = await send(operation, body);
      if (answer.status >= 400) refused.push(`${key}: ${answer.status} ${answer.text}`);
      const deviation = described.ruledOutIn(operation, body) ?? described.deviationOf(operation, answer);
      if (deviation !== null) deviations.push(`${key}: ${deviation}`);
    }
    expect(deviations).toEqual([]);
    expect(refused.filter((line) => !REFUSED.some((key) => line.startsWith(key)))).toEqual([]);
  });

  it('have counterparts that can be read, as described', async () => {
    const deviations: string[] = [];
    for (const operation of reads) {
      const { answer } = await send(operation, undefined);
      const deviation = described.deviationOf(operation, answer);
      if (deviation !== null) deviations.push(`${operation.path}: ${deviation}`);
    }
    expect(deviations).toEqual([]);
  });

  it(
    'are refused with 400 when the description rules them out, and answered in order whatever they hold',
    async () => {
      const complaints: string[] = [];
      for (const [key, operation] of operations) {
        // A new name each time, because names must be unique.
        const deviations = () => deviationsOf(bodyOf(key), operation.body ?? {}, schemas);
        expect(deviations().length).toBeGreaterThan(0);
        for (let index = 0, one = deviations()[0]; one; one = deviations()[++index]) {
          const { what, body, isRuledOut } = one;
          if (LOGINS.includes(key) && !isRuledOut) continue;
          const { request, answer } = await send(operation, body);
          const found = complaintsAbout(request, true, answer);
          if (isRuledOut && answer.status !== 400) found.push(`answered with ${answer.status} ${answer.text}`);
          complaints.push(...found.map((complaint) => `${key}, ${what}: ${complaint.slice(0, 600)}`));
        }
      }
      expect(complaints).toEqual([]);
      expect([served.server.isRunning, served.server.lastOutput]).toEqual([
        true,
        expect.not.stringMatching(/unhandled|uncaught/i),
      ]);
    },
    TIME_LIMIT_MS,
  );
});
