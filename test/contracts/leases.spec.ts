import { KeyValueStore } from '../../src/platform/database/key-value.store.js';
import { describeReplicas } from '../support/postgres.js';

const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;

describeReplicas('replicas whose clocks differ by a day', (databases) => {
  const claim = (index: 0 | 1, name: string, forMs = LEASE_MS) => {
    const now = new Date(Date.now() + index * DAY_MS);
    return storeOf(index).claim(name, `replica-${index}`, now, new Date(now.getTime() + forMs));
  };
  const storeOf = (index: 0 | 1) => {
    const database = databases[index];
    if (!database) throw new TypeError('there is no such replica');
    return new KeyValueStore(database);
  };
  const right = (name: string) => claim(0, name);
  const ahead = (name: string, forMs?: number) => claim(1, name, forMs);

  it('keep a lease from each other for as long as it was taken', async () => {
    expect([await ahead('one'), await right('one')]).toEqual([true, false]);
    const [until = ''] = ((await storeOf(0).find('one')) ?? '').split(' ');
    expect(Date.parse(until)).toBeLessThan(Date.now() + DAY_MS / 2);
    expect([await ahead('one', 0), await right('one')]).toEqual([true, true]);
  });

  it('do not take a lease that another one holds', async () => {
    expect([await right('two'), await ahead('two')]).toEqual([true, false]);
  });
});
