import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Caller, EndpointLimits, EndpointTiming } from './endpoint-options.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { memoryStorage } from './memory-storage.js';
import { sendError } from './http.js';
import type { EndpointStorage } from './storage.js';

/** An endpoint on a loopback port, with tools that behave in the ways a transport must cope with. */
export interface TestEndpoint {
  url: string;
  endpoint: McpEndpoint;
  storage: EndpointStorage;
  /** Names of the calls whose signal was aborted. */
  aborted: string[];
  /** Lets the calls of `wait` finish. */
  release(): void;
  stop(): Promise<void>;
}

interface TestOptions {
  storage?: EndpointStorage;
  timing?: Partial<EndpointTiming>;
  limits?: Partial<EndpointLimits>;
}

export async function startEndpoint({
  storage = memoryStorage(),
  timing,
  limits,
}: TestOptions = {}): Promise<TestEndpoint> {
  const aborted: string[] = [];
  const waiting = new Set<() => void>();
  const endpoint = new McpEndpoint<Caller>({
    serverInfo: { name: 'test', version: '1.0.0' },
    serverOptions: {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} },
    },
    register: (server) => registerTools(server, { aborted, waiting }),
    storage,
    limits: () => ({
      maxBodyBytes: 10_000,
      sessionIdleMs: 60_000,
      allowedOrigins: ['http://localhost'],
      allowedHosts: [],
      ...limits,
    }),
    assertMayWatch: async (_caller, uri) => {
      if (uri.startsWith('secret:')) throw new Error('not yours');
    },
    headerParameters: (name) => (name === 'region' ? [{ header: 'Mcp-Param-Region', path: ['region'] }] : []),
    onError: () => {},
    timing: { keepAliveMs: 50, drainMs: 100, ...timing },
  });
  await endpoint.start();
  const server = createServer((req, res) => {
    const refusal = endpoint.refusal(req, res);
    if (refusal) return sendError(res, refusal);
    void endpoint.handle(req, res, { name: String(req.headers['x-client'] ?? 'alice') });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    endpoint,
    storage,
    aborted,
    release: () => waiting.forEach((finish) => finish()),
    stop: () => stop(endpoint, server),
  };
}

async function stop(endpoint: McpEndpoint, server: HttpServer): Promise<void> {
  await endpoint.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

interface Calls {
  aborted: string[];
  waiting: Set<() => void>;
}

function registerTools(server: Server, calls: Calls): void {
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const content = await runTool(params.name, params.arguments ?? {}, ctx, calls);
    return { content: [{ type: 'text', text: content }] };
  });
}

async function runTool(name: string, args: Record<string, unknown>, ctx: ServerContext, calls: Calls): Promise<string> {
  switch (name) {
    case 'wait':
      return waitForRelease(typeof args['label'] === 'string' ? args['label'] : name, ctx, calls);
    case 'progress':
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      return waitForRelease(name, ctx, calls);
    case 'detach':
      ctx.http?.closeSSE?.();
      return waitForRelease(name, ctx, calls);
    case 'ask': {
      const question = { message: 'Name?', requestedSchema: { type: 'object' as const, properties: {} } };
      const answer = await ctx.mcpReq.elicitInput(question, args['aside'] ? {} : { relatedRequestId: ctx.mcpReq.id });
      return answer.action;
    }
    case 'log':
      await ctx.mcpReq.log('info', 'said');
      return 'logged';
    default:
      return JSON.stringify(args);
  }
}

function waitForRelease(label: string, ctx: ServerContext, { aborted, waiting }: Calls): Promise<string> {
  return new Promise((resolve) => {
    const finish = () => resolve(`${label} done`);
    waiting.add(finish);
    ctx.mcpReq.signal.addEventListener('abort', () => {
      aborted.push(label);
      finish();
    });
  });
}
