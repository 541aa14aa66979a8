import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../environment/address.rules.js';
import { OpenConnections } from './open-connections.js';
import { FIRST_GIVEN, isSocketGiven } from './systemd-socket.rules.js';
import { WaitingRoom } from './waiting-room.js';
import { AppError } from '../errors/app-error.js';

/** Thrown when the service manager passes something other than a listening TCP socket. */
class SystemdSocketUnusable extends AppError {
  constructor(reason: string) {
    super(
      'invalid',
      'listening.given_socket_unusable',
      `the service manager passed a socket that cannot be used (${reason}): let ListenStream= in the socket unit be a port or address:port`,
    );
  }
}

/** Number of connections that the kernel queues until they are accepted; the kernel's own limit may be lower. */
const BACKLOG = 4_096;
/** How long clients that are refused at start have to read the response. */
const REFUSAL_MS = 1_000;
/** How long pending responses may take at the end. */
const FAREWELL_MS = 5_000;
/** How long it takes to start serving an arrived request. */
const BEGIN_MS = 250;
/** How long idle connections stay open at the end: a proxy may be sending a request over one. */
const LAST_CALLS_MS = 1_000;

/**
 * The port of the service. It opens before the application is ready, or was opened by the service manager, which keeps it open
 * between processes.
 */
export class ServicePort {
  readonly server: Server = createServer();
  private readonly room = new WaitingRoom(this.server);
  private readonly connections = new OpenConnections(this.server);
  private closed: Promise<void> | null = null; // null = it accepts connections

  private constructor(
    /** True when the service manager opened it. */
    readonly isGiven: boolean,
  ) {}

  /**
   * Opens the configured port, or takes over the service manager's, and writes its address to the environment. Opens nothing when
   * the configuration is invalid: the application will report that.
   * @throws Error when the port cannot be opened
   */
  static async open(environment: NodeJS.ProcessEnv, pid: number): Promise<ServicePort> {
    const port = new ServicePort(isSocketGiven(environment, pid));
    if (port.isGiven) await port.takeOver(environment);
    const address = addressOf(environment);
    if (!port.isGiven && address) await port.listen({ ...address, backlog: BACKLOG });
    return port;
  }

  /** Lets the application serve the waiting requests, and all others. */
  serve(application: RequestListener): void {
    this.room.open(application);
  }

  /** Refuses the waiting requests. Resolves when their clients have the responses, or do not read them. */
  refuse(): Promise<void> {
    this.room.close();
    return this.close(REFUSAL_MS);
  }

  /**
   * Leaves new connections to others: to the next process, if the service manager keeps the port open, or to another replica, if
   * a proxy fails over when this one refuses. Serves one more request over each open connection. Resolves when this process has
   * started to serve the requests that were in transit to it.
   */
  async handOver(): Promise<void> {
    await Promise.race([this.stopAccepting(), this.lastCalls().then(() => sleep(BEGIN_MS))]);
  }

  /** Closes the port, and each connection after its response, or after `withinMs`. */
  async close(withinMs = FAREWELL_MS): Promise<void> {
    await Promise.race([this.stopAccepting(), sleep(withinMs, undefined, { ref: false })]);
    this.server.closeAllConnections();
  }

  /** Stops accepting connections, and closes each one after its response. Resolves when there are none. */
  private stopAccepting(): Promise<void> {
    return (this.closed ??= this.closePort());
  }

  private async closePort(): Promise<void> {
    if (!this.server.listening) return;
    const ended = Promise.withResolvers<void>();
    // The `close` of http.Server would cut connections whose first request is in transit: they count as idle.
    const close = NetServer.prototype.close.bind(this.server, () => ended.resolve());
    new NetServer().close(() => undefined); // warms up the function: the first call takes 0.1 ms longer
    await this.connections.whenAllAccepted(close);
    // Not earlier: a proxy whose connections are closed opens new ones, and some would arrive just as the port closes.
    this.server.prependListener('request', (_req, res) => {
      res.shouldKeepAlive = false;
    });
    await Promise.race([ended.promise, this.lastCalls()]);
    await this.connections.endIdle(ended.promise);
  }

  private async lastCalls(): Promise<void> {
    await Promise.all([this.connections.arrivals(), sleep(LAST_CALLS_MS)]);
  }

  private async takeOver(environment: NodeJS.ProcessEnv): Promise<void> {
    await this.listen({ fd: FIRST_GIVEN, backlog: BACKLOG }).catch((error: unknown) => {
      throw new SystemdSocketUnusable(error instanceof Error ? error.message : String(error));
    });
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new SystemdSocketUnusable('it has no port');
    Object.assign(environment, { HOST: address.address, PORT: String(address.port) });
    // They are meant for this process, not for its children.
    for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name];
  }

  private async listen(options: { port: number; host: string; backlog: number } | { fd: number; backlog: number }) {
    const opened = Promise.withResolvers<void>();
    this.server.once('error', opened.reject).listen(options, opened.resolve);
    await opened.promise;
    this.server.off('error', opened.reject);
  }
}
