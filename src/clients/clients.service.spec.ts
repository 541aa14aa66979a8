import { settingsOn } from '../config/testing.js';
import { recordedEvents } from '../events/testing.js';
import { ClientsService } from './clients.service.js';

async function newClients(key: string | null = 'long-enough-k3y!') {
  const { events, sent } = recordedEvents();
  const settings = await settingsOn({ events });
  if (key) await settings.set('mcp.api_key', key);
  return { clients: new ClientsService(settings, events), settings, sent };
}

describe('ClientsService', () => {
  it.each(['Bearer long-enough-k3y!', 'bearer long-enough-k3y!', 'BEARER   long-enough-k3y! '])(
    'recognises the owner of the key in %j',
    async (header) => {
      const { clients } = await newClients();
      expect(clients.authenticate(header)).toEqual({ name: 'default', groups: [] });
      expect(clients.authenticate(header)).toBe(clients.authenticate(header));
    },
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer long-enough-k3y',
    'Bearer long-enough-k3y! x',
    'Basic long-enough-k3y!',
    'long-enough-k3y!',
  ])('knows nobody in %j', async (header) => {
    const { clients } = await newClients();
    expect(clients.authenticate(header)).toBeNull();
  });

  it('accepts nobody, and is not configured, while no key is set', async () => {
    const { clients, settings } = await newClients(null);
    expect([clients.isConfigured(), clients.count(), clients.authenticate('Bearer long-enough-k3y!')]).toEqual([
      false,
      0,
      null,
    ]);
    await settings.set('mcp.api_key', 'long-enough-k3y!');
    expect([clients.isConfigured(), clients.count()]).toEqual([true, 1]);
  });

  it('revokes the client only when its key changes', async () => {
    const { settings, sent } = await newClients();
    sent.length = 0;
    await settings.set('mcp.tool_timeout_ms', 5);
    await settings.set('mcp.api_key', 'another-long-one!');
    expect(sent.filter(([name]) => name === 'client.revoked')).toEqual([['client.revoked', { client: 'default' }]]);
  });
});
