import { policyToJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyJson } from '#cedar';
import { settingsOn } from '../../platform/config/testing.js';
import type { Database } from '../../platform/database/database.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { Environment } from '../../platform/environment/environment.js';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import type { EventBus } from '../../platform/events/event-bus.service.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { PolicyClock, PolicyService } from './policy.service.js';
import { PolicyStore } from './policy.store.js';

/** The decision when only `permit-all` applies. */
export const PERMITTED: PolicyDecision = {
  allowed: true,
  reason: 'permitted',
  policies: ['permit-all'],
  approval: null,
  userMayApprove: false,
  advice: null,
};

/** Returns the JSON of a policy in the Cedar language. @throws Error when it is invalid */
export function cedarJson(text: string): PolicyJson {
  const answer = policyToJson(text);
  if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join('; '));
  return answer.json as PolicyJson;
}

/** Makes the policy service on a new database, with these policies in addition to `permit-all`. */
export async function policyService(
  policies: Record<string, string> = {},
  { events = recordedEvents().events }: { events?: EventBus } = {},
): Promise<PolicyService> {
  const database: Database = await memoryDatabase();
  const store = new PolicyStore(database);
  for (const [name, policy] of Object.entries(policies)) {
    await store.add({ name, policy, compiled: cedarJson(policy), enabled: true, updatedAt: new Date(), updatedBy: '' });
  }
  const replicas = new ReplicaChannel(new Environment(), database);
  const service = new PolicyService(store, new PolicyClock(await settingsOn()), events, replicas);
  await service.onModuleInit();
  return service;
}
