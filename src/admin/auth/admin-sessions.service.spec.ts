import type { Database } from '../../database/database.js';
import { memoryDatabase } from '../../database/testing.js';
import { parseEnvironment } from '../../environment/environment.js';
import { SecretStore } from '../../secrets/secret.store.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';
import { AdminSessions } from './admin-sessions.service.js';

async function newSessions(database: Database, ADMIN_PASSWORD = 'password') {
  const secrets = new SecretsService(new SecretStore(database));
  const password = await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD }), secrets);
  return new AdminSessions(password, new AdminSessionStore(database));
}

const hour = (hours: number) => new Date(hours * 3_600_000);

describe('AdminSessions', () => {
  let database: Database;
  beforeEach(async () => (database = await memoryDatabase()));

  it('last 12 hours from their latest use', async () => {
    const sessions = await newSessions(database);
    const { token } = await sessions.open(hour(0));
    expect(await sessions.use(token, hour(0))).toEqual({ expiresAt: hour(12), extended: false });
    expect(await sessions.use(token, hour(11))).toEqual({ expiresAt: hour(23), extended: true });
    expect(await sessions.use(token, hour(22))).toMatchObject({ extended: true });
    expect(await sessions.use(token, hour(34))).toBeNull();
  });

  it('are kept as hashes, and the expired ones not for ever', async () => {
    const sessions = await newSessions(database);
    const { token } = await sessions.open(hour(0));
    await sessions.open(hour(13));
    const rows = await database.selectFrom('admin_sessions').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('end when they are closed, and when the password changes', async () => {
    const sessions = await newSessions(database);
    const first = await sessions.open(hour(0));
    const second = await sessions.open(hour(0));
    await sessions.close(first.token);
    expect(await sessions.use(first.token, hour(1))).toBeNull();
    expect(await (await newSessions(database, 'new-password')).use(second.token, hour(1))).toBeNull();
    expect(await sessions.use(second.token, hour(1))).not.toBeNull();
  });
});
