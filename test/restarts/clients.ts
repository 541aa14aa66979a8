import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as Client132 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport132 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema as Changed132 } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client110 } from 'sdk-1-10/client/index.js';
import { StreamableHTTPClientTransport as Transport110 } from 'sdk-1-10/client/streamableHttp.js';
import { ToolListChangedNotificationSchema as Changed110 } from 'sdk-1-10/types.js';
import { Client as Client117 } from 'sdk-1-17/client/index.js';
import { StreamableHTTPClientTransport as Transport117 } from 'sdk-1-17/client/streamableHttp.js';
import { ToolListChangedNotificationSchema as Changed117 } from 'sdk-1-17/types.js';
import { Client as Client125 } from 'sdk-1-25/client/index.js';
import { StreamableHTTPClientTransport as Transport125 } from 'sdk-1-25/client/streamableHttp.js';
import { ToolListChangedNotificationSchema as Changed125 } from 'sdk-1-25/types.js';

/** An assistant that is connected, and does what its SDK does by itself. */
export interface RestartClient {
  /** Calls a skill that takes no arguments. @throws what the SDK throws */
  call(name: string): Promise<unknown>;
  /** Returns how often it was told that the tools have changed. */
  told(): number;
  /** Returns whether it would be told of a change that is made now, or as soon as it comes back. */
  listens(): boolean;
  close(): Promise<void>;
}

/** Its SDK, how it connects, and whether it is sure to be told over its stream again, or at the latest with its next answer. */
export interface ClientKind {
  name: string;
  protocol: string;
  isToldUnasked: boolean;
  connect(url: URL, key: string): Promise<RestartClient>;
}

const INFO = { name: 'ide', version: '1.0.0' };

interface CallParams extends Record<string, unknown> {
  name: string;
  arguments: Record<string, never>;
}

const callOf = (client: { callTool(params: CallParams): Promise<unknown> }) => (name: string) =>
  client.callTool({ name, arguments: {} });

/** What all versions of the first SDK have in common. */
interface FirstClient {
  connect(transport: object): Promise<void>;
  callTool(params: CallParams): Promise<unknown>;
  setNotificationHandler(schema: object, handler: () => void): void;
  close(): Promise<void>;
}

interface FirstSdk {
  Client: new (info: typeof INFO) => FirstClient;
  Transport: new (url: URL, options: { requestInit: RequestInit }) => object;
  changed: object;
}

const withSdk1 = ({ Client, Transport, changed }: FirstSdk) =>
  async function connect(url: URL, key: string): Promise<RestartClient> {
    let told = 0;
    const client = new Client(INFO);
    client.setNotificationHandler(changed, () => void (told += 1));
    await client.connect(new Transport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
    return { call: callOf(client), told: () => told, listens: () => true, close: () => client.close() };
  };

async function withSdk2(url: URL, key: string): Promise<RestartClient> {
  let told = 0;
  const client = new ClientV2(INFO, { versionNegotiation: { mode: 'legacy' } });
  client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
  await client.connect(new TransportV2(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
  return { call: callOf(client), told: () => told, listens: () => true, close: () => client.close() };
}

/** In this era the application opens the stream, and opens it again when it ends. What changed meanwhile, it looks up. */
async function withoutSession(url: URL, key: string): Promise<RestartClient> {
  let told = 0;
  let [listens, closed] = [false, false];
  const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
  await client.connect(new TransportV2(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
  const listen = async () => {
    while (!closed) {
      const subscription = await client.listen({ toolsListChanged: true }).catch(() => null);
      listens = subscription !== null;
      await subscription?.closed;
      listens = false;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  void listen();
  return {
    call: callOf(client),
    told: () => told,
    listens: () => listens,
    close: async () => {
      closed = true;
      await client.close();
    },
  };
}

export const CLIENTS: readonly ClientKind[] = [
  {
    name: 'SDK 1.10',
    protocol: '2024-11-05',
    isToldUnasked: false,
    connect: withSdk1({ Client: Client110, Transport: Transport110, changed: Changed110 }),
  },
  {
    name: 'SDK 1.17',
    protocol: '2025-06-18',
    isToldUnasked: false,
    connect: withSdk1({ Client: Client117, Transport: Transport117, changed: Changed117 }),
  },
  {
    name: 'SDK 1.25',
    protocol: '2025-11-25',
    isToldUnasked: true,
    connect: withSdk1({ Client: Client125, Transport: Transport125, changed: Changed125 }),
  },
  {
    name: 'SDK 1.32',
    protocol: '2025-11-25',
    isToldUnasked: true,
    connect: withSdk1({ Client: Client132, Transport: Transport132, changed: Changed132 }),
  },
  { name: 'SDK 2', protocol: '2025-11-25', isToldUnasked: true, connect: withSdk2 },
  { name: 'SDK 2', protocol: '2026-07-28', isToldUnasked: true, connect: withoutSession },
];
