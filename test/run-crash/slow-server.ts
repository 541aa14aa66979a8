import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Responds to the third attempt of `/patient`, returns an error to the second, and never responds to anything else. */
export class SlowServer {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<SlowServer> {
    const server = createServer(({ url }, response) => {
      if (url === '/patient/3') response.setHeader('content-type', 'application/json').end('{"attempt":3}');
      else if (url === '/patient/2') response.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SlowServer(server);
  }

  get origin(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
