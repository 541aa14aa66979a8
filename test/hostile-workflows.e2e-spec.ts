import { admin, callTool, readResource } from './hostile/target.js';
import { EVIL, head, HOSTILE, type HostileWorkflow, MOST_STEPS, PATTERN, REFUSED } from './hostile/workflows.js';
import { type ShownRun, WorkflowSiege } from './hostile/workflow-siege.js';

/** Events per sender, of two. Receiving them takes most of the time. */
const EVENTS = Number(process.env['HOSTILE_EVENTS'] ?? 40);

describe('the service with hostile workflows', () => {
  let siege: WorkflowSiege;

  beforeAll(async () => void (siege = await WorkflowSiege.begin()));
  afterAll(() => siege.end());

  const ended = new Map<HostileWorkflow, Promise<ShownRun>>();
  /** Returns the ended run of a workflow; each workflow runs once. */
  function runOf(workflow: HostileWorkflow): Promise<ShownRun> {
    const run = ended.get(workflow) ?? saveAndRun(workflow);
    ended.set(workflow, run);
    return run;
  }

  async function saveAndRun({ texts, input }: HostileWorkflow): Promise<ShownRun> {
    const names: string[] = [];
    for (const text of texts) {
      const reply = await siege.save(text);
      if (reply.status !== 201) throw new Error(`not saved: ${reply.status} ${reply.text.slice(0, 2_000)}`);
      names.push((JSON.parse(reply.text) as { name: string }).name);
    }
    return siege.ended(await siege.start(names[0] ?? '', input));
  }

  async function withstands(attack: () => Promise<void>): Promise<void> {
    expect(await siege.answersDuring(attack)).toBe(true);
  }

  it.each(REFUSED)('refuses %s', (_name, text, message) =>
    withstands(async () => {
      const reply = await siege.save(text);
      expect(reply.status).toBe(400);
      expect(reply.text).toMatch(message);
    }),
  );

  it.each(HOSTILE.map((workflow) => [workflow.name, workflow] as const))('ends one that %s', (_name, workflow) =>
    withstands(async () => {
      const { status, detail } = workflow;
      const run = await runOf(workflow);
      expect({ status: run.status, error: run.error }).toMatchObject({ status });
      if (detail) expect(run.error?.detail ?? '').toMatch(detail);
      await siege.idle();
    }),
  );

  it('refuses inputs that are too large', () =>
    withstands(async () => {
      await siege.save(
        `${head('any')}input: { schema: { document: { type: object } } }\ndo: [{ a: { set: { n: 1 } } }]`,
      );
      const large = await admin(siege.target, 'POST', 'workflows/any/start', {
        input: { t: 'x'.repeat(10_000_000) },
      });
      // A client that is still sending may miss the response before the connection is closed.
      expect([0, 413]).toContain(large.status);
      const call = await callTool(siege.target, 'any', { t: 'x'.repeat(2_000_000) });
      expect(call.text).toMatch(/at most 1048576|larger than/);
    }));

  it('refuses data that takes long to check, of callers and of those who answer', () =>
    withstands(async () => {
      await siege.save(
        `${head('checked')}input: { schema: { document: { type: object, properties: { t: ${PATTERN} } } } }\ndo: [{ a: { set: { n: 1 } } }]`,
      );
      expect((await callTool(siege.target, 'checked', { t: EVIL })).text).toContain('too large to validate in time');
      const started = await admin(siege.target, 'POST', 'workflows/checked/start', { input: { t: EVIL } });
      expect(started.status).toBe(400);
      expect(started.text).toContain('it takes longer than 500 ms');
      await siege.save(
        `${head('asking')}do: [{ a: { listen: { to: { one: { with: { type: person.answered } } } }, metadata: { question: { message: Well?, schema: { type: object, properties: { t: ${PATTERN} } } } } } }]`,
      );
      const id = await siege.start('asking');
      await siege.until(id, ({ questions }) => questions > 0);
      const answer = (t: string) =>
        admin(siege.target, 'POST', `runs/${id}/answers`, { step: '/do/0/a', action: 'accept', content: { t } });
      const refused = await answer(EVIL);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('too large to validate in time');
      expect((await answer('aaa')).status).toBe(204);
      expect(await siege.ended(id)).toMatchObject({ status: 'completed' });
    }));

  it('keeps running when workflows that listen for everything receive many events', () =>
    withstands(async () => {
      const listening = (name: string, filter: string) =>
        siege.save(`${head(name)}do: [{ a: { listen: { to: { one: { with: ${filter} } } } } }]`);
      await listening('deaf', '{ type: ".*", data: "${ false }" }');
      await listening('slow', '{ type: "(a+)+b" }');
      await listening('patient', '{ type: last }');
      const emit = (type: string) =>
        `{ emit: { event: { with: { source: "https://example.com/x", type: ${type} } } } }`;
      const loop = `for: { in: '\${ [range(${EVENTS})] }' }, do: [{ e: ${emit('a'.repeat(40))} }]`;
      await siege.save(`${head('loud')}do: [{ l: { ${loop} } }, { m: ${emit('last')} }]`);
      const listeners = [await siege.start('deaf'), await siege.start('slow'), await siege.start('patient')];
      const senders = [await siege.start('loud'), await siege.start('loud')];
      for (const id of senders) expect(await siege.ended(id)).toMatchObject({ status: 'completed' });
      expect(await siege.ended(listeners[2] ?? '')).toMatchObject({ status: 'completed' });
      for (const id of listeners.slice(0, 2)) {
        const { status } = await siege.get(id);
        expect(['waiting', 'running', 'failed']).toContain(status);
        await admin(siege.target, 'POST', `runs/${id}/cancel`);
        expect((await siege.get(id)).endedAt).not.toBeNull();
      }
      await siege.idle();
    }));

  it('shows a run of 10,000 steps in answers of a bounded size', () =>
    withstands(async () => {
      const { id } = await runOf(MOST_STEPS);
      const shown = await admin(siege.target, 'GET', `runs/${id}`);
      expect(JSON.parse(shown.text)).toMatchObject({ status: 'failed' });
      const steps = await admin(siege.target, 'GET', `runs/${id}/steps?limit=200`);
      expect(JSON.parse(steps.text)).toMatchObject({ items: { length: 200 } });
      const status = await callTool(siege.target, 'run_status', { id });
      const read = await readResource(siege.target, `run://${id}`);
      expect(status.text).toContain('9980 before these');
      expect(read.text).toContain('(9800 steps; the administration shows them)');
      const lengths = [shown, steps, status, read].map(({ text }) => text.length);
      expect(Math.max(...lengths)).toBeLessThan(2_000_000);
      expect(status.text.length).toBeLessThan(20_000);
    }));
});
