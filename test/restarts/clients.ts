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

/** A connected assistant that reconnects as its SDK does by default. */
export interface RestartClient {
  /** Calls a skill without arguments. @throws the errors of the SDK */
  call(name: string): Promise<unknown>;
  /** Returns the number of tool list notifications so far. */
  told(): number;
  /** Returns true if it would be notified of a change that is made now, or as soon as it reconnects. */
  listens(): boolean;
  close(): Promise<void>;
}

/**
 * An SDK and its transport, and whether it is certain to be notified on a reopened stream, or at the latest with its next
 * response.
 */
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

/** The common interface of all versions of the first SDK. */
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

/** In this era the application opens the stream, and reopens it when it ends. It refetches what may have changed in between. */
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
