import { createClient, rotateKey } from '../support/client-keys.js';
import type { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;

/** Creates clients for people and programs of a sample team. One key is being rotated. */
export async function giveKeysAsATeamWould(service: TestService): Promise<void> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'Cursor', version: '2.1.0' } };
  const expiresAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
  const { headers } = await createClient(service, 'ada', { note: 'Ada, on her laptop', groups: ['developers'] });
  await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers);
  await createClient(service, 'deploy-bot', { note: 'The pipeline of the shop', groups: ['production', 'robots'] });
  await rotateKey(service, 'deploy-bot', 24);
  await createClient(service, 'trial', { note: 'The agency, until its contract ends', expiresAt });
}
