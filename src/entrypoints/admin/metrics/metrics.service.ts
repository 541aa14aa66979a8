import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { ConnectedClients } from '../../../access/clients/connected-clients.service.js';
import { SessionStore } from '../../../access/clients/session.store.js';
import { DatabaseProbe } from '../../../platform/database/database-probe.service.js';
import { VERSION } from '../../../platform/service-info/version.js';
import { UnhandledErrors } from '../../../platform/telemetry/unhandled-errors.service.js';

/** The delay of the event loop is measured every 10 ms, and forgotten once it was read: wait for a new value. */
const NEXT_VALUE_MS = 30;

/** The metrics of this replica, as Prometheus reads them. */
@Injectable()
export class Metrics {
  private isWatchingProcess = false;
  private readonly databaseUp: Gauge;
  private readonly sessionCount: Gauge;

  constructor(
    private readonly registry: Registry,
    private readonly database: DatabaseProbe,
    private readonly sessions: SessionStore,
    programs: ConnectedClients,
    errors: UnhandledErrors,
  ) {
    const registers = [registry];
    new Gauge({ name: 'agent_service_info', help: 'The version.', labelNames: ['version'], registers }).set(
      { version: VERSION },
      1,
    );
    this.databaseUp = new Gauge({
      name: 'agent_service_database_up',
      help: '1 while the database can be written, otherwise 0.',
      registers,
    });
    this.sessionCount = new Gauge({
      name: 'agent_service_sessions',
      help: 'MCP sessions in the database, of all replicas.',
      registers,
    });
    new Gauge({
      name: 'agent_service_streams',
      help: 'Streams that clients have open on this replica.',
      registers,
      collect() {
        this.set(programs.streamCount());
      },
    });
    new Counter({
      name: 'agent_service_unhandled_errors_total',
      help: 'Errors that no code handled. Each is a bug, and in the log.',
      registers,
      collect() {
        this.reset();
        this.inc(errors.count);
      },
    });
  }

  /** Returns all metrics in the text format of Prometheus; without those that need the database while it is down. */
  async text(): Promise<string> {
    if (!this.isWatchingProcess) collectDefaultMetrics({ register: this.registry });
    this.isWatchingProcess = true;
    await pause(NEXT_VALUE_MS);
    const problem = await this.database.findProblem();
    const count = problem === null ? await this.sessions.count().catch(() => null) : null;
    this.databaseUp.set(count === null ? 0 : 1);
    if (count === null) this.sessionCount.remove();
    else this.sessionCount.set(count);
    return this.registry.metrics();
  }
}
