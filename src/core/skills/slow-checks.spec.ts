import { jest } from '@jest/globals';
import { GuardedThread } from '../../platform/threads/guarded-thread.js';
import { SchemaChecks } from './schema-checks.service.js';
import { ALICE, BOB, callContext, skillOf, skillsGround, type SkillsGround, skillsOn } from './testing.js';

const ENDLESS = { type: 'object', properties: { value: { type: 'string', pattern: '^(a+)+$' } } };
const SLOW = { type: 'object', properties: { value: { type: 'string', format: 'uri' } } };
const FOR_EVER = { value: `${'a'.repeat(100)}!` };
const LONG = { value: `https://a.example/${'x'.repeat(10_000)}` };

describe('checks that need a thread of their own', () => {
  let ground: SkillsGround;
  beforeAll(async () => {
    ground = await skillsGround({
      all: 'permit(principal, action, resource);',
      notBob: 'forbid(principal == Client::"bob", action, resource);',
    });
  });
  const made = () =>
    skillsOn(
      { ...ground, checks: new SchemaChecks() },
      skillOf({ name: 'endless', input: ENDLESS }),
      skillOf({ name: 'slow', input: SLOW }),
      skillOf({ name: 'returns', output: ENDLESS }, () => FOR_EVER),
    );
  const run = jest.spyOn(GuardedThread.prototype, 'run');
  afterEach(() => run.mockClear());

  it('are given up when their callers leave, and keep nobody waiting', async () => {
    const { skills, checks } = made();
    const leaving = new AbortController();
    // One at a time for 5 s each, they would take minutes.
    const calls = Array.from({ length: 20 }, () => [
      skills.call(ALICE, 'endless', FOR_EVER, callContext({ signal: leaving.signal })),
      skills.call(ALICE, 'returns', {}, callContext({ signal: leaving.signal })),
    ]).flat();
    const ended = Promise.all(calls);
    leaving.abort();
    for (const result of await ended) expect(result).toMatchObject({ isError: true, content: [{ text: CANCELLED }] });
    expect(await skills.call(ALICE, 'slow', LONG, callContext())).toMatchObject({ content: [{ text: 'done' }] });
    await checks.beforeApplicationShutdown();
  });

  it('take no longer than a call of the tool may, waiting included', async () => {
    const { skills, catalogue, checks } = made();
    await catalogue.update('slow', { timeoutMs: 1_000 });
    const leaving = new AbortController();
    let ended = 0;
    const ahead = Array.from({ length: 40 }, async () => {
      await skills.call(ALICE, 'endless', FOR_EVER, callContext({ signal: leaving.signal }));
      ended += 1;
    });
    const late = await skills.call(ALICE, 'slow', LONG, callContext());
    expect(late).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too large to validate in time') as string }],
    });
    // The first call in the queue takes 5 s.
    expect(ended).toBe(0);
    leaving.abort();
    await Promise.all(ahead);
    await checks.beforeApplicationShutdown();
  });

  it('are not made for those who may not call the tool', async () => {
    const { skills, checks } = made();
    const denied = await skills.call(BOB, 'endless', FOR_EVER, callContext());
    expect(denied).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('forbids') as string }] });
    expect(run).not.toHaveBeenCalled();
    await checks.beforeApplicationShutdown();
  });

  it('say that the service stops, when it does', async () => {
    const { skills, checks } = made();
    const call = skills.call(ALICE, 'endless', FOR_EVER, callContext());
    await checks.beforeApplicationShutdown();
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('service is stopping') as string }],
    });
  });

  it('of answers are given up in time, too', async () => {
    const checks = new SchemaChecks();
    const [first, second] = [ENDLESS, SLOW].map((schema) => checks.problems(schema, schema === SLOW ? LONG : FOR_EVER));
    expect(await first).toEqual([expect.stringContaining('too large to validate in time')]);
    expect(await second).toEqual(expect.any(Array));
    await checks.beforeApplicationShutdown();
  });
});

const CANCELLED = expect.stringContaining('was cancelled') as string;
