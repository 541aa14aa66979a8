import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a client and a server on loopback that simulates network faults. */
export class TcpProxy {
  private readonly pairs = new Set<[Socket, Socket]>();
  /** Changes what the server sends. */
  rewrite: (answer: Buffer) => Buffer = (answer) => answer;
  private isStalled = false;
  private isRefusing = false;

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {
    server.on('connection', (client) => this.join(client));
  }

  /** @param target URL of the server */
  static async before(target: URL): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, { host: target.hostname, port: Number(target.port) });
  }

  through(target: URL): URL {
    const url = new URL(target);
    const address = this.server.address();
    if (typeof address === 'object' && address) url.port = String(address.port);
    return url;
  }

  /** Forwards nothing more, and closes nothing. */
  stall(): void {
    this.isStalled = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  reset(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** Resets all connections, and each new one immediately. */
  refuse(): void {
    this.isRefusing = true;
    this.reset();
  }

  heal(): void {
    this.isStalled = false;
    this.isRefusing = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.refuse();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    if (this.isRefusing) {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const server = connect(this.target);
    const pair: [Socket, Socket] = [client, server];
    this.pairs.add(pair);
    this.forward(client, server, (chunk) => chunk);
    this.forward(server, client, (chunk) => this.rewrite(chunk));
    const end = () => {
      this.pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of pair) {
      socket.on('error', end).on('close', end);
      if (!this.isStalled) socket.resume();
      else socket.pause();
    }
  }

  private forward(from: Socket, to: Socket, changed: (chunk: Buffer) => Buffer): void {
    from.on('data', (chunk) => to.write(typeof chunk === 'string' ? chunk : changed(chunk)));
    from.on('end', () => to.end());
    if (this.isStalled) from.pause();
  }
}
