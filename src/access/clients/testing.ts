import { settingsOn } from '../../platform/config/testing.js';
import type { Database } from '../../platform/database/database.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { recordedEvents } from '../../platform/events/testing.js';
import type { ClientDetails } from './client.js';
import { NO_LIMITS } from './client.js';
import { ClientRegistry } from './client-registry.service.js';
import { ClientStore } from './client.store.js';
import { ClientsService } from './clients.service.js';
import { SessionStore } from './session.store.js';

/** The details of a client that is created with only a name. */
export const PLAIN_CLIENT: ClientDetails = { note: '', groups: [], limits: NO_LIMITS, expiresAt: null };

/** Returns one replica's view of the clients in a database; the default is an empty one. */
export async function clientsOn({ database, apiKey = null }: { database?: Database; apiKey?: string | null } = {}) {
  const stored = database ?? (await memoryDatabase());
  const { events, sent } = recordedEvents();
  const settings = await settingsOn({ database: stored, events });
  if (apiKey !== null) await settings.set('mcp.api_key', apiKey);
  const store = new ClientStore(stored);
  const sessions = new SessionStore(stored);
  const channel = new ReplicaChannel(parseEnvironment({}), stored);
  const clients = new ClientsService(store, sessions, settings, events, channel);
  await clients.onModuleInit();
  const registry = new ClientRegistry(store, clients);
  return { clients, registry, sessions, settings, events, sent, database: stored };
}
