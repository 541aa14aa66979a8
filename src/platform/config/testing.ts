import type { Database } from '../database/database.js';
import { memoryDatabase } from '../database/testing.js';
import { parseEnvironment } from '../environment/environment.js';
import type { EventBus } from '../events/event-bus.service.js';
import { recordedEvents } from '../events/testing.js';
import { SealingKeys } from '../secrets/sealing-keys.service.js';
import { SecretStore } from '../secrets/secret.store.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { SettingsService } from './settings.service.js';
import { SettingsStore } from './settings.store.js';

interface SettingsWorld {
  database?: Database | undefined;
  env?: Record<string, string> | undefined;
  events?: EventBus | undefined;
  store?: SettingsStore | undefined;
}

/** Returns the settings of a database, by default an empty one. */
export async function settingsOn({ database, env = {}, events, store }: SettingsWorld = {}): Promise<SettingsService> {
  const stored = database ?? (await memoryDatabase());
  return SettingsService.load({
    store: store ?? new SettingsStore(stored),
    environment: parseEnvironment(env),
    sealing: SealingKeys.inTable(new SecretsService(new SecretStore(stored))),
    events: events ?? recordedEvents().events,
  });
}
