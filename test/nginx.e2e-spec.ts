import { createServer, type Server } from 'node:http';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { freePort } from './harness/free-port.js';
import { NginxProxy } from './harness/nginx-proxy.js';
import { stopServer } from './support/loopback.js';
import { describeWith } from './support/left-out.js';
import { ADMIN_PASSWORD, KEY, TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

describeWith('nginx', 'behind nginx, configured as deploy/nginx.conf says', (nginx) => {
  let service: TestService;
  let proxy: NginxProxy;
  let url: URL;

  beforeAll(async () => {
    service = await TestService.start({
      imports: [TestSkillsModule],
      env: { PUBLIC_URL: 'http://agents.example.com' },
    });
    proxy = await NginxProxy.start(nginx, service.mcpUrl.host);
    url = new URL(`http://127.0.0.1:${proxy.port}/mcp`);
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
  });

  it.each(['/mcp', '/mcp/'])('answers at %s without a redirect', async (path) => {
    const res = await fetch(new URL(path, url), { method: 'POST', redirect: 'error' });
    expect(res.status).toBe(401);
  });

  it.each([
    ['2025-11-25', 'legacy' as const],
    ['2026-07-28', { pin: '2026-07-28' }],
  ])('delivers calls, progress and changes unbuffered in %s', async (_version, mode) => {
    let changes = 0;
    const client = new ClientV2(
      { name: 'ide', version: '1' },
      { versionNegotiation: { mode }, listChanged: { tools: { onChanged: () => void (changes += 1) } } },
    );
    await client.connect(new TransportV2(url, { requestInit: { headers: { Authorization: `Bearer ${KEY}` } } }));
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    const result = await client.callTool({ name: 'count', arguments: { steps: 3 } }, { onprogress });
    expect(result.content).toEqual([{ type: 'text', text: '3 steps' }]);
    expect(seen).toEqual([1, 2, 3]);
    await until(() => service.app.get(McpTransport).endpoint.counts().streams > 0);
    await service.admin('PUT', 'skills/echo', { enabled: false });
    await until(() => changes > 0);
    await service.admin('PUT', 'skills/echo', { enabled: true });
    await client.close();
  });

  it('takes uploads as large as the manual allows, and calls no larger than the service takes', async () => {
    const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const send = (path: string, body: string) => fetch(new URL(path, url), { method: 'POST', headers, body });
    const files = [1, 2].map((n) => ({
      path: `${n}.txt`,
      base64: Buffer.from('a line\n'.repeat(330_000)).toString('base64'),
    }));
    const body = JSON.stringify({ files });
    expect(body.length).toBeGreaterThan(6_000_000);
    expect((await send('/admin/api/knowledge/import/preview', body)).status).toBe(200);
    expect((await send('/mcp', body)).status).toBe(413);
  });

  it('lets nobody guess passwords under made-up addresses', async () => {
    const guess = async (address: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
      const body = JSON.stringify({ password: 'wrong' });
      return (await fetch(new URL('/admin/api/session', url), { method: 'POST', headers, body })).status;
    };
    const statuses = [];
    for (let i = 0; i < 8; i += 1) statuses.push(await guess(`203.0.113.${i}`));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });
});

describeWith('nginx', 'replicas behind nginx', (nginx) => {
  /** Starts a server that responds with its number. */
  const open = async (number: number, port: number): Promise<Server> => {
    const server = createServer(
      (request, response) => void request.resume().on('end', () => response.end(`${number}`)),
    );
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  };

  it('serve every call though all of them restart within seconds', async () => {
    const ports = [await freePort(), await freePort()];
    const servers = await Promise.all(ports.map((port, number) => open(number, port)));
    const proxy = await NginxProxy.start(nginx, ...ports.map((port) => `127.0.0.1:${port}`));
    const answers = async () => {
      const found: string[] = [];
      for (let call = 0; call < 6; call += 1) {
        const res = await fetch(`http://127.0.0.1:${proxy.port}/mcp`, { method: 'POST', body: '{}' });
        found.push(res.status === 200 ? await res.text() : `status ${res.status}`);
      }
      return [...new Set(found)].sort();
    };
    expect(await answers()).toEqual(['0', '1']);
    for (const [number, server] of servers.entries()) {
      await stopServer(server);
      expect(await answers()).toEqual([`${1 - number}`]);
      servers[number] = await open(number, ports[number] ?? 0);
    }
    expect(await answers()).toEqual(['0', '1']);
    await proxy.stop();
    await Promise.all(servers.map(stopServer));
  });
});
