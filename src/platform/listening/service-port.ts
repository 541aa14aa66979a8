import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../environment/address.rules.js';
import { OpenConnections } from './open-connections.js';
import { FIRST_GIVEN, isSocketGiven } from './systemd-socket.rules.js';
import { SystemdSocketUnusable } from './listening.errors.js';
import { WaitingRoom } from './waiting-room.js';

/** How many connections the kernel holds until they are accepted; it may have a lower limit of its own. */
const BACKLOG = 4_096;
/** How long those who are refused at start have to read it. */
const REFUSAL_MS = 1_000;
/** How long answers that are being sent at the end may still take. */
const FAREWELL_MS = 5_000;
/** How long it takes to begin with a request that has come. */
const BEGIN_MS = 250;
/** How long idle connections stay open at the end: a proxy in front may be sending a request over one. */
const LAST_CALLS_MS = 1_000;

/**
 * The port of the service. It is open before the application is there, or was opened by the service manager, which keeps it
 * open from one process to the next.
 */
export class ServicePort {
  readonly server: Server = createServer();
  private readonly room = new WaitingRoom(this.server);
  private readonly connections = new OpenConnections(this.server);
  private closed: Promise<void> | null = null; // null = it accepts connections

  private constructor(
    /** Whether the service manager opened it. */
    readonly isGiven: boolean,
  ) {}

  /**
   * Opens the port that the environment names, or takes over the given one, whose address it notes in the environment. When the
   * environment names none that can be, nothing is opened: the application will say what is wrong.
   * @throws Error when the port cannot be opened
   */
  static async open(environment: NodeJS.ProcessEnv, pid: number): Promise<ServicePort> {
    const port = new ServicePort(isSocketGiven(environment, pid));
    if (port.isGiven) await port.takeOver(environment);
    const address = addressOf(environment);
    if (!port.isGiven && address) await port.listen({ ...address, backlog: BACKLOG });
    return port;
  }

  /** Has the application serve the requests that wait, and all others. */
  serve(application: RequestListener): void {
    this.room.open(application);
  }

  /** Refuses the requests that wait. Resolves when their clients have been told, or do not listen. */
  refuse(): Promise<void> {
    this.room.close();
    return this.close(REFUSAL_MS);
  }

  /**
   * Leaves connections from now on to others: to the next process, if the service manager keeps the port open, or to another
   * replica, which a proxy goes on to when this one refuses. Serves what comes over open connections, once each. Resolves
   * when this process has begun with the requests that were on their way to it.
   */
  async handOver(): Promise<void> {
    await Promise.race([this.stopAccepting(), this.lastCalls().then(() => sleep(BEGIN_MS))]);
  }

  /** Closes the port, and the connections as soon as they have their answers, or after `withinMs`. */
  async close(withinMs = FAREWELL_MS): Promise<void> {
    await Promise.race([this.stopAccepting(), sleep(withinMs, undefined, { ref: false })]);
    this.server.closeAllConnections();
  }

  /** Accepts no more connections, and ends each one after its answer. Resolves when there are none. */
  private stopAccepting(): Promise<void> {
    return (this.closed ??= this.letGo());
  }

  private async letGo(): Promise<void> {
    if (!this.server.listening) return;
    const ended = Promise.withResolvers<void>();
    // That of http.Server would cut connections over which the first request is on its way: they count as idle.
    const close = NetServer.prototype.close.bind(this.server, () => ended.resolve());
    new NetServer().close(() => undefined); // compiles it: the first time takes 0.1 ms longer
    await this.connections.whenAllAccepted(close);
    // Not before: a proxy whose connections end opens others, and some would come just when the port is closed.
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
    // They are for this process, and not for those that it starts.
    for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name];
  }

  private async listen(options: { port: number; host: string; backlog: number } | { fd: number; backlog: number }) {
    const opened = Promise.withResolvers<void>();
    this.server.once('error', opened.reject).listen(options, opened.resolve);
    await opened.promise;
    this.server.off('error', opened.reject);
  }
}
