import { settingsOn } from '../../platform/config/testing.js';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { PolicyClock } from './policy.service.js';
import { PolicyHours } from './policy-hours.service.js';
import type { ToolSubject } from './policy-request.js';
import { policyService } from './testing.js';

const TOOL: ToolSubject = { name: 'deploy', tags: [], kind: 'code', inputSchema: {} };
const CLIENT = { name: 'ada', groups: [] };

/** Two replicas that share a database with these policies. */
async function newReplicas(policies: Record<string, string>) {
  const facts = new KeyValueStore(await memoryDatabase());
  const replicas = await Promise.all(
    [0, 1].map(async () => {
      const { events, sent } = recordedEvents();
      const policy = await policyService(policies, { events });
      return { policy, sent, hours: new PolicyHours(new PolicyClock(await settingsOn()), policy, facts) };
    }),
  );
  return {
    replicas,
    tick: async (time: string) => {
      for (const { hours } of replicas) await hours.tick(new Date(time));
    },
    told: () => replicas.map(({ sent }) => sent.splice(0).map(([, event]) => event)),
  };
}

describe('policies that depend on the hour', () => {
  it('change at the hour, as reported by one of the replicas', async () => {
    const { tick, told } = await newReplicas({
      hours: 'forbid (principal, action, resource) when { context.hour < 8 };',
    });
    await tick('2026-01-01T07:10:00Z');
    await tick('2026-01-01T07:59:59Z');
    expect(told()).toEqual([[], []]);
    await tick('2026-01-01T08:00:03Z');
    expect(told()).toEqual([[{}], [{ isFromElsewhere: true }]]);
    await tick('2026-01-01T08:00:08Z');
    expect(told()).toEqual([[], []]);
    await tick('2026-01-01T09:00:01Z');
    expect(told().flat()).toHaveLength(2);
  });

  it('are the only ones: others do not change with the clock', async () => {
    const { tick, told } = await newReplicas({ all: 'forbid (principal, action, resource == Tool::"deploy");' });
    for (let hour = 10; hour < 20; hour += 1) await tick(`2026-01-01T${hour}:00:00Z`);
    expect(told()).toEqual([[], []]);
  });

  it('show what they showed before the hour, and what they show now', async () => {
    const { hour, weekday } = new PolicyClock(await settingsOn()).now();
    const earlier = (hour + 23) % 24;
    const policy = await policyService({
      earlier: `forbid (principal, action, resource == Tool::"deploy") when { context.hour == ${earlier} };`,
    });
    policy.clockTurned({ hour: earlier, weekday }, {});
    const subject = { action: 'callTool', tool: TOOL } as const;
    expect([policy.showsOthers(CLIENT, [subject]), policy.mayShow(CLIENT, subject)]).toEqual([true, true]);
    expect(policy.hasOtherReads(CLIENT)).toBe(true);
  });
});
