import type { Database } from '../../platform/database/database.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { openAccounts } from './testing.js';

const hour = (hours: number) => new Date(hours * 3_600_000);
const ORIGIN = { address: '192.0.2.7', browser: 'Browser/1.0' };

describe('AdminSessions', () => {
  let database: Database;
  beforeEach(async () => (database = await memoryDatabase()));

  async function start(ADMIN_PASSWORD = 'password') {
    const { sessions, administrators } = await openAccounts(database, ADMIN_PASSWORD);
    const open = async (name: string, at: Date, origin = ORIGIN) => {
      const opened = await sessions.open(await administrators.get(name), origin, at);
      return opened?.token ?? '';
    };
    return { sessions, administrators, open };
  }

  it('last 12 hours from their latest use', async () => {
    const { sessions, open } = await start();
    const token = await open('admin', hour(0));
    const admin = { user: 'admin', role: 'admin' };
    expect(await sessions.use(token, hour(0))).toEqual({ ...admin, expiresAt: hour(12), extended: false });
    expect(await sessions.use(token, hour(11))).toEqual({ ...admin, expiresAt: hour(23), extended: true });
    expect(await sessions.use(token, hour(22))).toMatchObject({ extended: true });
    expect(await sessions.use(token, hour(34))).toBeNull();
  });

  it('are kept as hashes, and the expired ones not for ever', async () => {
    const { open } = await start();
    const token = await open('admin', hour(0));
    await open('admin', hour(13));
    const rows = await database.selectFrom('admin_sessions').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('end when they are closed, and when the password of the environment changes', async () => {
    const { sessions, open } = await start();
    const [first, second] = [await open('admin', hour(0)), await open('admin', hour(0))];
    await sessions.close(first);
    expect(await sessions.use(first, hour(1))).toBeNull();
    const later = await start('new-password');
    expect(await later.sessions.use(second, hour(1))).toBeNull();
    expect(await sessions.use(second, hour(1))).not.toBeNull();
  });

  it('of others go on when the password of the environment changes', async () => {
    const { administrators, open } = await start();
    await administrators.create('ada', 'viewer', null);
    const token = await open('ada', hour(0));
    const later = await start('new-password');
    expect(await later.sessions.use(token, hour(1))).toMatchObject({ user: 'ada', role: 'viewer' });
  });

  it('are not opened for an account that has changed since its password was checked', async () => {
    const { sessions, administrators } = await start();
    await administrators.create('ada', 'admin', null);
    const checked = await administrators.get('ada');
    await administrators.update('ada', { role: 'viewer' });
    expect(await sessions.open(checked, ORIGIN, hour(0))).toBeNull();
    await administrators.remove('ada');
    expect(await sessions.open(checked, ORIGIN, hour(0))).toBeNull();
    await administrators.create('ada', 'admin', null);
    expect(await sessions.open(checked, ORIGIN, hour(0))).toBeNull();
    expect(await database.selectFrom('admin_sessions').selectAll().execute()).toEqual([]);
  });

  it('are listed with where they come from, each account its own', async () => {
    const { sessions, administrators, open } = await start();
    await administrators.create('ada', 'viewer', null);
    await open('admin', hour(0));
    const token = await open('ada', hour(1), { address: 'x'.repeat(500), browser: 'y'.repeat(5_000) });
    await open('ada', hour(2));
    await sessions.use(token, hour(3));
    expect(await sessions.list('ada', hour(4))).toEqual([
      {
        id: expect.any(String) as string,
        address: '192.0.2.7',
        browser: 'Browser/1.0',
        createdAt: hour(2),
        lastUsedAt: hour(2),
      },
      {
        id: expect.any(String) as string,
        address: 'x'.repeat(64),
        browser: 'y'.repeat(200),
        createdAt: hour(1),
        lastUsedAt: hour(3),
      },
    ]);
    expect(await sessions.list('ada', hour(14.5))).toHaveLength(1);
  });

  it('are at most 100 for each account: the oldest makes room', async () => {
    const { sessions, administrators, open } = await start();
    await administrators.create('ada', 'viewer', null);
    const other = await open('ada', hour(0));
    const tokens = [];
    for (let minute = 0; minute < 102; minute += 1) tokens.push(await open('admin', hour(minute / 60)));
    expect(await sessions.list('admin', hour(2))).toHaveLength(100);
    const used = await Promise.all([tokens[1], tokens[2], other].map((token) => sessions.use(token ?? '', hour(2))));
    expect(used.map((session) => session?.user)).toEqual([undefined, 'admin', 'ada']);
  });
});
