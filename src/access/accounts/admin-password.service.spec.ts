import { sql } from 'kysely';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { administrators as migration } from '../../platform/database/migrations/0013-administrators.js';
import { hashPassword } from './password-hash.rules.js';
import { openAccounts } from './testing.js';

describeEachDatabase('the password of the account admin', (open) => {
  it('is made at the first start, told once, and good from then on', async () => {
    const database = await open();
    const first = await openAccounts(database, undefined);
    const second = await openAccounts(database, undefined);
    expect(first.password.generated).toMatch(/^[\w-]{24}$/);
    expect(second.password.generated).toBeNull();
    const account = await second.administrators.get('admin');
    expect(account).toMatchObject({ role: 'admin', hasFixedPassword: false });
    expect(await second.password.matches(account, first.password.generated ?? '')).toBe(true);
    expect(await second.password.matches(account, 'something else')).toBe(false);
  });

  it('is told by one of the processes that start at the same time', async () => {
    const database = await open();
    const started = await Promise.all([openAccounts(database, undefined), openAccounts(database, undefined)]);
    const told = started.flatMap(({ password }) => password.generated ?? []);
    expect(told).toHaveLength(1);
    for (const { password, administrators } of started) {
      expect(await password.matches(await administrators.get('admin'), told[0] ?? '')).toBe(true);
    }
  });

  it('is the one of the environment where there is one, and of this account only', async () => {
    const database = await open();
    const { password, administrators } = await openAccounts(database, 'from-the-env');
    expect(password.generated).toBeNull();
    const account = await administrators.get('admin');
    expect(account).toMatchObject({ hasFixedPassword: true, passwordHash: '' });
    expect(await password.matches(account, 'from-the-env')).toBe(true);
    expect(await password.matches(account, 'from-the-em')).toBe(false);
    await administrators.create('ada', 'admin', null);
    expect(await password.matches(await administrators.get('ada'), 'from-the-env')).toBe(false);
    await expect(administrators.setPassword(account, null)).rejects.toThrow('ADMIN_PASSWORD');
  });

  it('is made anew once the environment has none any more: the one from before is not good again', async () => {
    const database = await open();
    const first = await openAccounts(database, undefined);
    await openAccounts(database, 'from-the-env');
    const later = await openAccounts(database, undefined);
    const account = await later.administrators.get('admin');
    expect(later.password.generated).toMatch(/^[\w-]{24}$/);
    expect(await later.password.matches(account, first.password.generated ?? '')).toBe(false);
    expect(await later.password.matches(account, 'from-the-env')).toBe(false);
    expect(await later.password.matches(account, '')).toBe(false);
  });

  it('stays what it was when the accounts came', async () => {
    const database = await open();
    await sql`drop table admin_sessions`.execute(database);
    await sql`drop table administrators`.execute(database);
    await sql`create table admin_sessions (id_hash text primary key)`.execute(database);
    const hash = await hashPassword('generated-then');
    await sql`insert into secrets (name, value, created_at) values ('admin.password', ${hash}, '2026-01-02T03:04:05.000Z')`.execute(
      database,
    );
    await migration.up(database);
    const { password, administrators } = await openAccounts(database, undefined);
    const account = await administrators.get('admin');
    expect([password.generated, await password.matches(account, 'generated-then')]).toEqual([null, true]);
    expect(account).toMatchObject({ role: 'admin', createdAt: new Date('2026-01-02T03:04:05.000Z') });
    expect((await sql`select * from secrets where name = 'admin.password'`.execute(database)).rows).toEqual([]);
  });
});
