import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import type { Database } from '../../platform/database/database.js';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { AdminCredentials } from './admin-credentials.service.js';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';
import { AdminSessions } from './admin-sessions.service.js';
import { AdministratorStore } from './administrator.store.js';
import { Administrators } from './administrators.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { PasswordQueue } from './password-queue.service.js';

/** Opens the accounts of a database, as a starting process does. */
export async function openAccounts(database: Database, ADMIN_PASSWORD: string | undefined) {
  const store = new AdministratorStore(database);
  const password = await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD }), store);
  const sessions = new AdminSessions(password, new AdminSessionStore(database));
  const queue = new PasswordQueue();
  const { events, sent } = recordedEvents();
  const throttle = new LoginThrottle(new RateLimitStore(database));
  const credentials = new AdminCredentials(store, password, throttle, queue, events);
  const administrators = new Administrators(store, sessions, queue, events);
  return { store, password, sessions, credentials, administrators, sent };
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
