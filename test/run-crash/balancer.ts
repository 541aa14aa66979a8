import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A loopback port in front of several others: each connection goes to the next one that accepts it. */
export class Balancer {
  private readonly sockets = new Set<Socket>();
  private next = 0;

  private constructor(
    private readonly server: Server,
    private readonly ports: readonly number[],
  ) {
    server.on('connection', (client) => this.join(client, ports.length));
  }

  static async before(ports: readonly number[]): Promise<Balancer> {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server, ports);
  }

  get url(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private join(client: Socket, attempts: number): void {
    this.next = (this.next + 1) % this.ports.length;
    const server = connect({ host: '127.0.0.1', port: this.ports[this.next] ?? 0 });
    let isConnected = false;
    server.once('connect', () => {
      isConnected = true;
      for (const socket of [client, server]) this.sockets.add(socket.on('close', () => this.sockets.delete(socket)));
      client.pipe(server).pipe(client);
      client.on('error', () => server.destroy()).on('close', () => server.destroy());
    });
    server.on('error', () => {
      if (!isConnected && attempts > 1) this.join(client, attempts - 1);
      else client.destroy();
    });
    server.on('close', () => {
      if (isConnected) client.destroy();
    });
  }
}
