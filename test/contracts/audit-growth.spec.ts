import { AuditTrail } from '../../src/access/audit/audit-trail.service.js';
import type { AuditItem } from '../../src/access/audit/audit-entry.js';
import { auditOn, storedEntries } from '../../src/access/audit/testing.js';
import { CallCountStore } from '../../src/access/audit/call-count.store.js';
import { NOT_ASKED } from '../../src/access/policy/policy.service.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import type { ResourceRead, ToolCalled } from '../../src/platform/events/app-events.js';
import type { EventBus } from '../../src/platform/events/event-bus.service.js';
import { recordedEvents } from '../../src/platform/events/testing.js';

const CLIENT = { name: 'ide', groups: ['g'] };
const at = new Date(Date.UTC(2026, 0, 1));
const same = { client: CLIENT, decision: NOT_ASKED, durationMs: 1, at };
const read = (change: Partial<ResourceRead>): ResourceRead => ({ ...same, uri: 'x:', outcome: 'unknown', ...change });
const call = (change: Partial<ToolCalled>): ToolCalled => ({
  ...same,
  tool: 'forecast',
  outcome: 'denied',
  resource: null,
  arguments: { city: 'Oslo' },
  inputSchema: null,
  approvedBy: null,
  message: 'no',
  ...change,
});

/** The audit log, subscribed to the events of the service. */
function trailOn(database: Database) {
  const audit = auditOn(database);
  const { events } = recordedEvents();
  const trail = new AuditTrail(audit.log, events);
  const entries = async (): Promise<AuditItem[]> => {
    await audit.log.flush();
    return storedEntries(database);
  };
  return { ...audit, events, trail, entries };
}

describeEachDatabase('what refused requests add to the audit log', (open) => {
  const flood: [string, (events: EventBus, n: number) => void][] = [
    [
      'reads of unknown URIs',
      (events, n) => events.emit('resource.read', read({ uri: `x://${n}${'u'.repeat(9_000)}` })),
    ],
    ['reads that fail', (events, n) => events.emit('resource.read', read({ uri: `x://${n}`, outcome: 'error' }))],
    ['calls of unknown tools', (events, n) => events.emit('tool.called', call({ tool: `t${n}`, outcome: 'unknown' }))],
    ['calls that are denied', (events) => events.emit('tool.called', call({}))],
    [
      'calls that do not fit',
      (events, n) => events.emit('tool.called', call({ outcome: 'invalid', arguments: { n, text: 'x'.repeat(n) } })),
    ],
    [
      'prompts that there are not',
      (events, n) =>
        events.emit('prompt.used', {
          ...same,
          prompt: `p${n}`,
          arguments: { a: 'x'.repeat(5_000) },
          outcome: 'unknown',
        }),
    ],
  ];

  it.each(flood)('is the same for twice as many %s', async (_title, send) => {
    const grown = async (count: number) => {
      const { events, trail, entries } = trailOn(await open());
      // Same length, whatever the number.
      for (let n = 1_000; n < 1_000 + count; n += 1) send(events, n);
      await trail.tick();
      const items = await entries();
      return {
        rows: items.length,
        told: items.reduce((sum, item) => sum + (item.count ?? 0), 0),
        bytes: JSON.stringify(items.map(({ count: _count, ...item }) => item)).length,
      };
    };
    const [once, twice] = [await grown(200), await grown(400)];
    expect([once.told, twice.told]).toEqual([200, 400]);
    expect(twice.rows).toBe(once.rows);
    expect(once.rows).toBeLessThan(25);
    expect(Math.abs(twice.bytes - once.bytes)).toBeLessThan(1_000);
  });

  it('distinguishes clients, kinds and the first ten subjects', async () => {
    const { events, trail, entries } = trailOn(await open());
    for (let n = 0; n < 3; n += 1) {
      events.emit('tool.called', call({}));
      events.emit('tool.called', call({ client: { name: 'ci', groups: [] } }));
      events.emit('tool.called', call({ outcome: 'invalid' }));
      for (let uri = 0; uri < 12; uri += 1) events.emit('resource.read', read({ uri: `x://${uri}` }));
    }
    await trail.tick();
    const told = new Map<string, number>();
    for (const { client, outcome, subject = 'others', count = 0 } of await entries()) {
      const what = `${client} ${outcome} ${subject}`;
      told.set(what, (told.get(what) ?? 0) + count);
    }
    expect(Object.fromEntries(told)).toEqual({
      'ide denied forecast': 3,
      'ci denied forecast': 3,
      'ide invalid forecast': 3,
      ...Object.fromEntries(Array.from({ length: 10 }, (_uri, n) => [`ide unknown x://${n}`, 3])),
      'ide unknown others': 6,
    });
  });

  it('has each call that was made, and each that was stopped', async () => {
    const { events, entries } = trailOn(await open());
    for (const outcome of ['ok', 'ok', 'timeout', 'timeout', 'cancelled', 'cancelled'] as const) {
      events.emit('tool.called', call({ outcome }));
    }
    expect(await entries()).toHaveLength(6);
  });

  it('keeps the numbers when the service stops, also of calls that end meanwhile', async () => {
    const { events, trail, log, entries } = trailOn(await open());
    for (let n = 0; n < 5; n += 1) events.emit('tool.called', call({}));
    trail.beforeApplicationShutdown();
    for (let n = 0; n < 5; n += 1) events.emit('tool.called', call({}));
    await Promise.all([log.onApplicationShutdown(), trail.onApplicationShutdown()]);
    expect((await entries()).map(({ count }) => count)).toEqual([1, 4, 1, 4]);
  });

  it('counts them all as calls', async () => {
    const database = await open();
    const { events, trail, log } = trailOn(database);
    for (let n = 0; n < 7; n += 1) events.emit('tool.called', call({}));
    await trail.tick();
    await log.flush();
    const counts = await new CallCountStore(database).list({ span: 'hour', of: 'tool', from: new Date(0) });
    expect(counts).toMatchObject([{ name: 'forecast', outcome: 'denied', calls: 7 }]);
  });

  it('is bounded for each, whatever a caller makes long', async () => {
    const database = await open();
    const { events, log } = trailOn(database);
    const long = '€'.repeat(100_000);
    const origin = {
      key: long,
      programProven: false,
      program: long,
      programVersion: long,
      protocolVersion: long,
      sessionId: long,
      address: long,
      traceId: long,
      run: { id: long, workflow: long },
    };
    const args = Object.fromEntries(Array.from({ length: 1_000 }, (_value, n) => [`${n}${long}`, { text: long }]));
    events.emit(
      'tool.called',
      call({ client: { ...CLIENT, origin }, tool: long, outcome: 'unknown', arguments: args, message: long }),
    );
    events.emit('resource.read', read({ client: { ...CLIENT, origin }, uri: `x://${long}` }));
    await log.flush();
    const items = await storedEntries(database);
    expect(items).toHaveLength(2);
    for (const item of items) expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(60_000);
    const terms = await database.selectFrom('audit_terms').select('term').execute();
    for (const { term } of terms) expect(Buffer.byteLength(term)).toBeLessThan(2_000);
  });
});
