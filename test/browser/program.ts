import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { TestService } from '../support/service.js';
import { ProgramMemory } from '../support/sign-in-browser.js';

/** Returns the authorization URL to which a program without a token sends its user. */
export async function linkOf(service: TestService, memory: ProgramMemory): Promise<URL> {
  await refused(new StreamableHTTPClientTransport(endpointOf(service), { authProvider: memory }));
  if (!memory.link) throw new Error('the program does not ask to sign in');
  return memory.link;
}

const endpointOf = ({ origin }: TestService): URL => new URL('/mcp/oauth', origin);

async function refused(transport: StreamableHTTPClientTransport): Promise<void> {
  await expect(new Client({ name: 'program', version: '1.0.0' }).connect(transport)).rejects.toThrow(UnauthorizedError);
}

/** A program on the user's machine: it listens on the redirect URI. */
export class LocalProgram {
  private readonly back = Promise.withResolvers<URLSearchParams>();

  private constructor(
    private readonly service: TestService,
    private readonly listener: Server,
    readonly memory: ProgramMemory,
  ) {}

  static async start(service: TestService, name: string): Promise<LocalProgram> {
    const listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    const memory = new ProgramMemory(`http://127.0.0.1:${port}/callback`, { client_name: name });
    const program = new LocalProgram(service, listener, memory);
    listener.on('request', ({ url = '' }, res) => {
      res
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><link rel="icon" href="data:,"><h1>You can close this tab</h1>');
      if (url.startsWith('/callback')) program.back.resolve(new URL(url, memory.redirectUrl).searchParams);
    });
    return program;
  }

  link(): Promise<URL> {
    return linkOf(this.service, this.memory);
  }

  returned(): Promise<URLSearchParams> {
    return this.back.promise;
  }

  /** Connects with the authorization code from the redirect. */
  async connect(): Promise<Client> {
    const options = { authProvider: this.memory };
    await new StreamableHTTPClientTransport(endpointOf(this.service), options).finishAuth(await this.returned());
    return this.reconnect();
  }

  /** Connects with its current tokens. */
  async reconnect(): Promise<Client> {
    const client = new Client({ name: 'program', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(endpointOf(this.service), { authProvider: this.memory }));
    return client;
  }

  async stop(): Promise<void> {
    this.listener.closeAllConnections();
    this.listener.close();
    await once(this.listener, 'close');
  }
}
