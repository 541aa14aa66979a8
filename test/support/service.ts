import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type AppOptions, createApp } from '../../src/app.setup.js';
import { ReplicaChannel } from '../../src/platform/database/replica-channel.service.js';
import { answerIn } from '../harness/stateless-message.js';
import { freePort } from '../harness/free-port.js';
import { until } from './until.js';

export const KEY = 'a-key-for-all-tests';
export const ADMIN_PASSWORD = 'test-password';
const EVENT_STREAM_AND_JSON = 'application/json, text/event-stream';

type Body = Record<string, unknown>;
type AdminOptions = { headers?: Record<string, string>; signal?: AbortSignal };
/**
 * @param path of the endpoint: `/mcp` takes the fast path, and `/mcp/` that of the controller
 * @param signsIn true when people can sign in with programs
 */
type StartOptions = AppOptions & { env?: Record<string, string>; path?: '/mcp' | '/mcp/'; signsIn?: boolean };

export interface ToolResult {
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The whole service on a loopback port, in this process, with its own database. */
export class TestService {
  private restarted: TestService | null = null;
  private readonly clients: { close(): Promise<void> }[] = [];

  private constructor(
    readonly app: NestExpressApplication,
    readonly origin: string,
    readonly dataDir: string,
    private readonly environment: Record<string, string>,
    private readonly path: string,
  ) {}

  static async start(options: StartOptions = {}): Promise<TestService> {
    const dataDir = options.env?.['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'agent-service-')));
    const port = Number(options.env?.['PORT'] ?? (await freePort()));
    const origin = `http://127.0.0.1:${port}`;
    const signIn = options.signsIn ? { OAUTH_ENABLED: 'on', PUBLIC_URL: origin } : {};
    const environment = { MCP_API_KEY: KEY, ADMIN_PASSWORD, LOG_LEVEL: 'silent', ...signIn, ...options.env };
    Object.assign(process.env, { ...environment, DATA_DIR: dataDir, PORT: String(port) });
    const app = await createApp(options);
    await app.listen(port, '127.0.0.1');
    stopRegularReload(app.get(ReplicaChannel, { strict: false }));
    // After a restart, fetch may still hold connections to the stopped service.
    await until(() => fetch(`${origin}/health/live`).then(isOk, () => false));
    return new TestService(app, origin, dataDir, environment, options.path ?? '/mcp');
  }

  /** Starts one service for all tests of a suite, and stops it after the last. */
  static forSuite(take: (service: TestService) => unknown, options: StartOptions = {}): void {
    let service: TestService;
    beforeAll(async () => {
      service = await TestService.start(options);
      await take(service);
    });
    afterAll(() => service.stop());
  }

  get mcpUrl(): URL {
    return new URL(this.path, this.origin);
  }

  /** Stops the service, or the one that it was restarted as, after its clients. */
  async stop({ keepData = false } = {}): Promise<void> {
    if (this.restarted) return this.restarted.stop({ keepData });
    for (const client of this.clients.splice(0)) await client.close();
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
    for (const name of Object.keys(this.environment)) delete process.env[name];
    if (!keepData) await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Stops the service, and starts a new one on the same data and port. Its clients stay. */
  async restart(options: AppOptions = {}): Promise<TestService> {
    const clients = this.clients.splice(0);
    await this.stop({ keepData: true });
    this.restarted = await TestService.start({
      ...options,
      env: { ...this.environment, DATA_DIR: this.dataDir, PORT: new URL(this.origin).port },
    });
    this.restarted.clients.push(...clients);
    return this.restarted;
  }

  /** POSTs a body to the endpoint, with the key unless `headers` override it; a string is sent unchanged. */
  post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.mcpUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: EVENT_STREAM_AND_JSON,
        authorization: `Bearer ${KEY}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Opens a 2025-era session; returns the headers that identify it, with those that were given. */
  async openSession(
    protocolVersion = '2025-11-25',
    headers: Record<string, string> = {},
  ): Promise<Record<string, string>> {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test' } };
    const res = await this.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers);
    const session = { ...headers, 'mcp-session-id': res.headers.get('mcp-session-id') ?? '' };
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    return session;
  }

  /** Connects a client of the SDK v1, by default one without capabilities. */
  async connect(client = new Client({ name: 'ide', version: '1.0.0' }), key = KEY): Promise<Client> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(this.mcpUrl, { requestInit }));
    this.clients.push(client);
    return client;
  }

  /** Connects a client of the SDK v2. */
  async connectV2(client: ClientV2, key = KEY): Promise<void> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new TransportV2(this.mcpUrl, { requestInit }));
    this.clients.push(client);
  }

  /** Sends a 2026-07-28 request, with the headers that it requires. */
  postStateless(method: string, params: Body = {}, headers: Record<string, string> = {}): Promise<Response> {
    const name = params['name'] ?? params['uri'] ?? params['taskId'];
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      ...(params['_meta'] as Body | undefined),
    };
    return this.post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
        ...headers,
      },
    );
  }

  /** Calls a tool with such a request; returns its result, an empty one when the request was refused. */
  async call(name: string, args: object = {}, headers: Record<string, string> = {}): Promise<ToolResult> {
    const answer = await this.postStateless('tools/call', { name, arguments: args }, headers);
    return (await answerIn<{ result?: ToolResult }>(answer)).result ?? { content: [] };
  }

  /** Calls the admin API as a script would. */
  async admin(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Body }> {
    const res = await this.askAdmin(method, path, body, { headers });
    const text = await res.text();
    return { status: res.status, body: text ? (JSON.parse(text) as Body) : {} };
  }

  /** Like `admin`, for responses that are not only JSON. */
  askAdmin(method: string, path: string, body?: unknown, { headers, ...more }: AdminOptions = {}): Promise<Response> {
    return fetch(new URL(`/admin/api/${path}`, this.origin), {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...more,
    });
  }
}

const isOk = (res: Response): boolean => res.ok;

/** Leaves a replica only its notifications: every 30 s, it would notice a change without one. */
function stopRegularReload(channel: ReplicaChannel): void {
  clearInterval(channel['reloadTimer'] ?? undefined);
}
