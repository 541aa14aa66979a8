import { createServer, request as httpRequest } from 'node:http';
import { listenOnLoopback, stopServer } from './loopback.js';

/** As the service, whose header Keep-Alive is passed on: clients would use connections that are closed otherwise. */
const KEPT_MS = 75_000;

/** A load balancer without session affinity on a loopback port: each request goes to the next server. */
export class RoundRobin {
  /** The number of requests that each server has handled. */
  readonly served: number[];
  private next = 0;
  private readonly server = createServer({ keepAliveTimeout: KEPT_MS }, (req, res) => {
    const index = this.next;
    this.next = (index + 1) % this.targets.length;
    this.served[index] = (this.served[index] ?? 0) + 1;
    const target = this.targets[index];
    if (!target) return void res.destroy();
    const { hostname: host, port } = target;
    const outgoing = httpRequest(
      { host, port, path: req.url, method: req.method, headers: req.headers },
      (incoming) => {
        res.writeHead(incoming.statusCode ?? 502, incoming.headers);
        res.flushHeaders();
        incoming.pipe(res);
        incoming.on('error', () => res.destroy());
      },
    );
    outgoing.on('error', () => res.destroy());
    res.on('close', () => outgoing.destroy());
    req.pipe(outgoing);
  });

  constructor(private readonly targets: readonly URL[]) {
    this.served = targets.map(() => 0);
  }

  async start(): Promise<URL> {
    return new URL('/mcp', await listenOnLoopback(this.server));
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }
}
