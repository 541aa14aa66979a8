import { describeEachDatabase } from '../../platform/database/testing.js';
import { CallCountStore } from '../../access/audit/call-count.store.js';
import { CallStatistics } from '../../access/audit/call-statistics.service.js';
import { auditEntry, auditOn } from '../../access/audit/testing.js';
import { PackageUses } from './package-uses.service.js';

const at = (text: string) => new Date(`2026-11-26T${text}:00.000Z`);
const PACKAGES = ['alpha', 'beta', 'gamma'].map((name) => ({ name }));

describeEachDatabase('uses of skill packages', (open) => {
  const usesOn = async () => {
    const database = await open();
    const replicas = [auditOn(database), auditOn(database)] as const;
    const statistics = new CallStatistics(new CallCountStore(database), replicas[0].reader);
    const use = (replica: 0 | 1, name: string, when: Date, client = 'ide') =>
      replicas[replica].log.record(
        auditEntry({ at: when, subject: 'skill_read', arguments: { name }, client: { name: client, groups: [] } }),
      );
    const flush = () => Promise.all(replicas.map(({ log }) => log.flush()));
    return { replicas, flush, use, uses: new PackageUses(statistics), other: new PackageUses(statistics) };
  };
  const namesAt = (uses: PackageUses, now: Date) => uses.sorted(PACKAGES, now).map(({ name }) => name);

  it('put the most used first, the same on all replicas, and leave others in their order', async () => {
    const { replicas, flush, use, uses, other } = await usesOn();
    use(0, 'gamma', at('08:10'));
    use(1, 'gamma', at('08:59'));
    use(0, 'beta', at('08:20'));
    replicas[1].log.record(
      auditEntry({ kind: 'read', at: at('08:30'), subject: 'skill://gamma/a.md', client: { name: 'x', groups: [] } }),
    );
    for (let count = 0; count < 9; count += 1) use(1, 'alpha', at('09:01'));
    await flush();
    expect(namesAt(uses, at('09:03'))).toEqual(['alpha', 'beta', 'gamma']);
    await uses.tick(at('09:03'));
    await other.tick(at('09:06'));
    for (const one of [uses, other]) expect(namesAt(one, at('09:06'))).toEqual(['gamma', 'beta', 'alpha']);
    expect(namesAt(uses, at('09:04'))).toEqual(['alpha', 'beta', 'gamma']);
    use(0, 'beta', at('09:30'));
    await flush();
    await uses.tick(at('09:40'));
    expect(namesAt(uses, at('09:40'))).toEqual(['gamma', 'beta', 'alpha']);
    for (const one of [uses, other]) await one.tick(at('10:05'));
    for (const one of [uses, other]) expect(namesAt(one, at('10:07'))).toEqual(['alpha', 'gamma', 'beta']);
  });

  it('are counted for 30 days, without those of administrators', async () => {
    const { flush, use, uses } = await usesOn();
    use(0, 'alpha', at('08:10'));
    use(0, 'alpha', at('08:20'), 'cli');
    use(0, 'alpha', at('09:20'));
    use(0, 'beta', at('09:20'), 'admin');
    use(0, 'gamma', new Date(at('09:20').getTime() - 31 * 86_400_000));
    await flush();
    const find = (name: string) => uses.find(name, at('09:30'));
    expect(await find('alpha')).toEqual({ name: 'alpha', uses: 3, lastHour: at('09:00') });
    expect([await find('beta'), await find('gamma')]).toEqual([undefined, undefined]);
  });
});
