import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PolicySet, Slice } from '#cedar';
import { settingsOn } from '../../platform/config/testing.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { Environment } from '../../platform/environment/environment.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { denialOf, PolicyClock, PolicyService } from './policy.service.js';
import type { ToolSubject } from './policy-request.js';
import { PolicyStore } from './policy.store.js';
import { cedarJson, policyService } from './testing.js';

const TOOL: ToolSubject = { name: 'deploy', tags: [], kind: 'code', inputSchema: {} };
const CALL = { action: 'callTool', tool: TOOL } as const;
const ADA = { name: 'ada', groups: [] };
const BOB = { name: 'bob', groups: [] };
const NO_DEPLOY = 'forbid (principal == Client::"ada", action == Action::"callTool", resource == Tool::"deploy");';

async function newService() {
  const database = await memoryDatabase();
  const store = new PolicyStore(database);
  const { events, sent } = recordedEvents();
  const clock = new PolicyClock(await settingsOn());
  const service = new PolicyService(store, clock, events, new ReplicaChannel(new Environment(), database));
  const save = (name: string, policy: string, compiled = cedarJson(policy)) =>
    store.add({ name, policy, compiled, enabled: true, updatedAt: new Date(), updatedBy: '' });
  return { service, store, sent, save };
}

describe('PolicyService', () => {
  beforeAll(() => void Logger.overrideLogger(false));

  it('refuses everything, and says why, until the policies are loaded', async () => {
    const { service } = await newService();
    expect(service.decide({ client: ADA, ...CALL, arguments: {} })).toMatchObject({
      allowed: false,
      reason: 'engine_failed',
    });
    expect([service.mayShow(ADA, CALL), service.showsOthers(ADA, [CALL])]).toEqual([false, false]);
    expect(service.mayShowTemplate(ADA, 'memory://{namespace}/{key}')).toBe(false);
    expect(service.outlook(ADA, CALL)).toEqual({ use: 'refused', policies: [] });
    expect(service.distinguishesResources(ADA)).toBe(true);
    expect([service.readsClock(), service.distinguishesPrograms()]).toEqual([false, false]);
    expect(service.problem()).toBe('the policies are not loaded yet');
    await service.onModuleInit();
    expect(service.problem()).toBeNull();
    expect(service.mayShow(ADA, CALL)).toBe(true);
  });

  it('decides by the latest stored policies, and remembers the earlier ones', async () => {
    const { service, sent, save } = await newService();
    await service.onModuleInit();
    expect(service.showsOthers(ADA, [CALL])).toBe(true); // there was no earlier list
    await save('no-deploy', NO_DEPLOY);
    expect(service.mayShow(ADA, CALL)).toBe(true);
    await service.changed();
    const shows = (client: typeof ADA) => [service.showsOthers(client, [CALL]), service.mayShow(client, CALL)];
    expect([shows(ADA), shows(BOB)]).toEqual([
      [true, false],
      [false, true],
    ]);
    expect([service.hasOtherReads(ADA), service.hasOtherReads(BOB)]).toEqual([false, false]);
    expect(sent).toEqual([['policies.changed', {}]]);
  });

  it('compares what lists show, and keeps what that takes only of clients that have asked', async () => {
    const { service, save } = await newService();
    await service.onModuleInit();
    await save('no-deploy', NO_DEPLOY);
    await service.changed();
    const narrowed = jest.spyOn(PolicySet.prototype, 'narrow');
    const countOf = (work: () => unknown) => {
      narrowed.mockClear();
      work();
      return narrowed.mock.calls.length;
    };
    const compare = () => [service.showsOthers(ADA, [CALL]), service.hasOtherReads(ADA)];
    const first = countOf(compare);
    expect(first).toBeGreaterThan(0);
    expect(countOf(compare)).toBe(first);
    service.mayShow(ADA, CALL);
    expect(countOf(compare)).toBeLessThan(first);
    narrowed.mockRestore();
  });

  it('compares only what the changed policies are about', async () => {
    const { service, store, save } = await newService();
    await save('no-deploy', NO_DEPLOY);
    await save('nights', 'forbid (principal == Client::"bob", action, resource) when { context.hour > 24 };');
    await service.onModuleInit();
    const subjects = Array.from({ length: 100 }, (_, n) => ({
      action: 'callTool' as const,
      tool: n === 7 ? TOOL : { ...TOOL, name: `tool${n}` },
    }));
    const decided = jest.spyOn(Slice, 'of');
    const compare = (client: typeof ADA) => {
      decided.mockClear();
      const lists = [service.showsOthers(client, subjects), service.hasOtherReads(client)];
      return [...lists, decided.mock.calls.length];
    };
    await save('reads', 'forbid (principal == Client::"bob", action == Action::"readResource", resource);');
    await service.changed();
    expect([compare(ADA), compare(BOB)]).toEqual([
      [false, false, 0],
      [false, true, 0],
    ]);
    await store.delete('no-deploy');
    await service.changed();
    expect([compare(ADA), compare(BOB)]).toEqual([
      [true, false, 2], // one tool, before and now
      [false, false, 0],
    ]);
    service.clockTurned({ hour: 3, weekday: 'monday' }, {});
    expect([compare(ADA), compare(BOB).slice(0, 2)]).toEqual([
      [false, false, 0],
      [false, true],
    ]);
    decided.mockRestore();
  });

  it('decides by the latest stored policies, also when an earlier read takes longer', async () => {
    const { service, store, save } = await newService();
    await service.onModuleInit();
    await save('no-reading', 'forbid (principal, action == Action::"readResource", resource);');
    const earlier = await store.list();
    await save('no-deploy', NO_DEPLOY);
    const later = await store.list();
    const slow = Promise.withResolvers<typeof earlier>();
    jest.spyOn(store, 'list').mockReturnValueOnce(slow.promise).mockResolvedValueOnce(later);
    const changes = [service.changed(), service.changed()];
    await setImmediate();
    slow.resolve(earlier);
    await Promise.all(changes);
    expect(service.mayShow(ADA, CALL)).toBe(false);
  });

  it('notifies nobody when nothing has changed', async () => {
    const { service, sent, save } = await newService();
    await save('no-deploy', NO_DEPLOY);
    await service.onModuleInit();
    await service.changed();
    expect(sent).toEqual([]);
  });

  it('says who may read other resources since the last change', async () => {
    const { service, save } = await newService();
    await service.onModuleInit();
    await save('reads', 'forbid (principal == Client::"ada", action == Action::"readResource", resource);');
    await service.changed();
    expect([service.hasOtherReads(ADA), service.hasOtherReads(BOB)]).toEqual([true, false]);
    expect([
      service.mayShowTemplate(ADA, 'memory://{namespace}/{key}'),
      service.mayShowTemplate(BOB, 'memory://{namespace}/{key}'),
    ]).toEqual([false, true]);
  });

  it('knows what policies read, also those that are gone since the last change', async () => {
    const { service, store, save } = await newService();
    await save('program', 'forbid (principal, action, resource) when { context.program == "Old" };');
    await save('night', 'forbid (principal, action, resource) when { context.hour < 8 };');
    await service.onModuleInit();
    expect([service.distinguishesPrograms(), service.readsClock()]).toEqual([true, true]);
    await store.delete('program');
    await store.delete('night');
    await service.changed();
    expect([service.distinguishesPrograms(), service.readsClock()]).toEqual([true, false]);
    await save('no-deploy', NO_DEPLOY);
    await service.changed();
    expect(service.distinguishesPrograms()).toBe(false);
  });

  it('refuses everything when a stored policy is damaged, until it is mended', async () => {
    const { service, store, save } = await newService();
    await service.onModuleInit();
    await save('damaged', NO_DEPLOY, { effect: 'forbid' } as never);
    await service.changed();
    expect(service.problem()).not.toBeNull();
    expect(service.decide({ client: BOB, ...CALL, arguments: {} }).allowed).toBe(false);
    await store.delete('damaged');
    await service.changed();
    expect([service.problem(), service.mayShow(BOB, CALL)]).toEqual([null, true]);
  });

  it('says what depends on the arguments', async () => {
    const service = await policyService({
      args: 'forbid (principal, action == Action::"callTool", resource) when { context.args.place == "prod" };',
    });
    expect(service.outlook(ADA, CALL)).toEqual({ use: 'depends', policies: ['args'] });
    expect(service.mayShow(ADA, CALL)).toBe(true);
  });
});

describe('denialOf', () => {
  it.each([
    ['forbidden', ['a'], null, 'policy a forbids this call. Ask the administrator.'],
    ['forbidden', ['a', 'b'], 'Use the staging area.', 'policies a, b forbid this call. Use the staging area.'],
    ['unevaluable', ['a'], null, 'policy a cannot be evaluated for this call,'],
    ['engine_failed', [], null, 'the policies cannot be evaluated at the moment'],
    ['not_permitted', [], null, 'no policy permits this call. Ask the administrator.'],
  ] as const)('says of what is %s by %j with the advice %j: %s', (reason, policies, advice, text) => {
    const decision = { allowed: false, reason, policies: [...policies], approval: null, userMayApprove: false, advice };
    const message = denialOf(decision, 'this call');
    expect(message).toContain(text);
    expect(message.startsWith('Not allowed: ')).toBe(true);
  });
});
