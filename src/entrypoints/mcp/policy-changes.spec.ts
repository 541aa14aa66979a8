import { clientsOn, PLAIN_CLIENT } from '../../access/clients/testing.js';
import type { PolicyService } from '../../access/policy/policy.service.js';
import type { PromptsService } from '../../core/skills/prompts.service.js';
import type { SkillsService } from '../../core/skills/skills.service.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { PolicyChanges } from './policy-changes.service.js';

async function replicaOn(database: Awaited<ReturnType<typeof memoryDatabase>>) {
  const replica = await clientsOn({ database });
  const { events, clients, sent } = replica;
  const unused = [{} as PolicyService, clients, {} as SkillsService, {} as PromptsService] as const;
  new PolicyChanges(events, ...unused).onApplicationBootstrap();
  return { ...replica, lists: () => sent.flatMap(([name, event]) => (name === 'lists.changed' ? [event] : [])) };
}

describe('a change of the groups of a client', () => {
  it('changes its lists once, however many replicas there are', async () => {
    const database = await memoryDatabase();
    await (await clientsOn({ database })).registry.create('ci', { ...PLAIN_CLIENT, groups: ['a'] });
    const [one, other] = [await replicaOn(database), await replicaOn(database)];
    await one.registry.update('ci', { groups: ['b'] });
    await other.clients.reload({ isFromElsewhere: true });
    expect(one.lists()).toEqual([{ client: 'ci', lists: ['tools', 'prompts', 'resources'] }]);
    expect(other.lists()).toEqual([]);
    expect(other.clients.find('ci')?.groups).toEqual(['b']);
  });
});
