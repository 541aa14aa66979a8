import { MemoryStore } from '../../src/features/memory/memory.store.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { untilLocked } from '../support/lock-waits.js';
import { describeReplicas } from '../support/postgres.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const TOMORROW = new Date('2026-01-02T12:00:00Z');

describeReplicas('replicas that delete what has expired', (databases) => {
  it('keep an entry that another is renewing', async () => {
    const [one, other] = databases;
    if (!one || !other) throw new Error('there are not two replicas');
    const store = new MemoryStore(other);
    await memoryOn(one).memory.save({ key: 'plan', content: 'Fly.', client: 'ide', expiresInDays: 1 }, NOW);
    let deleting = Promise.resolve<unknown>([]);
    await one.transaction().execute(async (transaction) => {
      await transaction.updateTable('memory_entries').set({ expires_at: null }).execute();
      deleting = store.deleteExpired(TOMORROW, 10);
      await untilLocked(other, 1);
    });
    expect(await deleting).toEqual([]);
    expect(await store.find('shared', 'plan', TOMORROW)).toMatchObject({ content: 'Fly.', expiresAt: null });
  });
});
