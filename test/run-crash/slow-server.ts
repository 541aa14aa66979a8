import { createServer, type Server } from 'node:http';
import { listenOnLoopback, stopServer } from '../support/loopback.js';

/** Responds to the third attempt of `/patient`, returns an error to the second, and never responds to anything else. */
export class SlowServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<SlowServer> {
    const server = createServer(({ url }, response) => {
      if (url === '/patient/3') response.setHeader('content-type', 'application/json').end('{"attempt":3}');
      else if (url === '/patient/2') response.writeHead(503).end();
    });
    return new SlowServer(server, await listenOnLoopback(server));
  }

  close(): Promise<void> {
    return stopServer(this.server);
  }
}
