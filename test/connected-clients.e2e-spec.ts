import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { KEY, TestService } from './support/service.js';
import { until } from './support/until.js';

const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };

describe('the administrator sees connected programs', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.start();
  });
  afterEach(() => service.stop());

  const overview = async () => (await service.admin('GET', 'overview')).body;

  it('with sessions, and the stream that each holds open', async () => {
    const client = new ClientV1({ name: 'ide', version: '1.0.0' });
    await client.connect(new TransportV1(service.mcpUrl, { requestInit }));
    await until(async () => (await overview())['streams'] === 1);
    const ide = { client: 'default', name: 'ide', version: '1.0.0', protocolVersion: '2025-11-25', streams: 1 };
    expect((await overview())['programs']).toEqual([{ ...ide, lastSeenAt: expect.any(String) as string }]);
    expect((await service.admin('GET', 'sessions')).body).toMatchObject({ items: [{ clientName: 'ide', streams: 1 }] });
    await client.close();
    await until(async () => (await overview())['streams'] === 0);
  });

  it('without sessions, and the streams that each holds open', async () => {
    const client = new ClientV2(
      { name: 'agent', version: '2.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, listChanged: { tools: { onChanged: () => {} } } },
    );
    await client.connect(new TransportV2(service.mcpUrl, { requestInit }));
    await until(async () => (await overview())['streams'] === 1);
    expect((await overview())['programs']).toMatchObject([
      { name: 'agent', version: '2.0.0', protocolVersion: '2026-07-28', streams: 1 },
    ]);
    await client.close();
    await until(async () => (await overview())['streams'] === 0);
  });

  it('even when they do not say what they are', async () => {
    await service.postStateless('tools/list');
    expect((await overview())['programs']).toMatchObject([{ name: 'unknown', version: 'unknown', streams: 0 }]);
  });
});
