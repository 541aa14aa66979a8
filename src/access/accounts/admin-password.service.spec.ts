import { describeEachDatabase } from '../../platform/database/testing.js';
import { openAccounts } from './testing.js';

describeEachDatabase('the password of the account admin', (open) => {
  it('is generated at the first start, shown once, and valid from then on', async () => {
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

  it('is shown by one of the processes that start at the same time', async () => {
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

  it('is generated again once the environment has none any more: the earlier one stays invalid', async () => {
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
});
