import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';
import type { Environment } from '../../../../platform/environment/environment.js';
import { ON_RESTATE } from '../../runs/execution/claimed-run.js';
import type { EngineStores } from '../engine-stores.service.js';
import type { Programs } from '../../runs/execution/program.js';
import { RunEngine, type StartedRun } from '../../runs/execution/run-engine.js';
import type { RunReports } from '../run-reports.service.js';
import { Invocations } from './invocations.js';
import { RestateApi } from './restate-api.js';
import type { RestateEndpoint } from './restate-endpoint.js';
import type { RestateRunStore, ReadyStep } from './restate-run.store.js';
import { loadRestateSdk } from './restate-sdk.js';
import { Duty } from './branch.js';
import { countOf } from '../../../../platform/text/count-of.js';

/** Polling interval for pending notifications of Restate. */
const POLL_EVERY_MS = 2_000;
/** How long a run may be pending before the request to Restate is repeated. */
const RESEND_AFTER_MS = 5_000;
const AT_ONCE = 200;
/** Maximum age of cancellations that are sent to the cluster again at start. */
const CANCEL_AGAIN_MS = 24 * 3_600_000;
/** How long steps in progress may still take when the service stops. */
const DRAIN_MS = 3_000;

/**
 * Executes runs through a Restate cluster, which calls this process or any other replica. Notifications to the cluster are first
 * recorded in the tables (an outbox), and retried until they are delivered.
 */
@Injectable()
export class RestateEngine extends RunEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RestateEngine.name);
  private readonly api: RestateApi;
  private readonly duty = new Duty();
  private readonly uncancelled = new Set<string>();
  private endpoint: RestateEndpoint | null = null; // null = not listening
  private timer: NodeJS.Timeout | null = null; // null = not started
  private isRegistered = false;
  private isPolling = false;

  constructor(
    private readonly stores: EngineStores,
    private readonly runs: RestateRunStore,
    private readonly programs: Programs,
    private readonly reports: RunReports,
    private readonly environment: Environment,
  ) {
    super();
    const { RESTATE_INGRESS_URL, RESTATE_ADMIN_URL } = environment;
    this.api = new RestateApi({ ingress: RESTATE_INGRESS_URL ?? '', admin: RESTATE_ADMIN_URL ?? '' });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { stores, runs, programs, reports, duty } = this;
    const sdk = await loadRestateSdk();
    const { RestateEndpoint } = await import('./restate-endpoint.js');
    const invocations = new Invocations({ sdk, stores, runs, programs, reports, duty }, this.api);
    this.endpoint = new RestateEndpoint(sdk, invocations);
    const { HOST: host, RESTATE_ENDPOINT_PORT: port, RESTATE_IDENTITY_KEYS: keys } = this.environment;
    await this.endpoint.listen({ host, port, identityKeys: keys?.split(/\s*,\s*/) ?? [] });
    const left = await this.runs.countEmbedded();
    if (left > 0) this.logger.warn(`${countOf(left, 'run')} can only continue when the embedded engine is used again.`);
    await this.poll().catch((error: unknown) => this.warn(error));
    // Whoever cancelled them may have stopped before the cluster heard of it.
    const since = new Date(Date.now() - CANCEL_AGAIN_MS);
    for (const id of await this.runs.listCancelled(since)) this.uncancelled.add(id);
    this.timer = setInterval(() => this.inBackground(this.poll()), POLL_EVERY_MS).unref();
  }

  /** Waits a short time for steps in progress. Everything else is left to other replicas, or to the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.duty.end(DRAIN_MS);
    await this.endpoint?.close();
    this.endpoint = null;
  }

  async start(started: StartedRun): Promise<boolean> {
    const run = { ...started, partition: ON_RESTATE, status: 'pending' } as const;
    if (!(await this.stores.states.insert(run, new Date()))) return false;
    this.inBackground(this.api.send(run.id));
    return true;
  }

  async publish(event: CloudEvent): Promise<void> {
    const { events } = this.stores;
    const now = new Date();
    const reached: ReadyStep[] = [];
    await events.deliver(await events.listListeners(event.type), event, now, async (transaction, runIds) => {
      reached.push(...(await this.runs.handOut(transaction, runIds, event, now)));
    });
    this.inBackground(this.notify(reached));
  }

  async answer(runId: string, step: string, event: CloudEvent): Promise<boolean> {
    const reached = await this.stores.events.answer(runId, step, event, new Date());
    if (!reached) return false;
    this.inBackground(this.runs.listReady(AT_ONCE, runId).then((steps) => this.notify(steps)));
    return true;
  }

  async cancel(id: string): Promise<string[]> {
    const { cancelled } = await this.stores.states.cancel(id, new Date());
    for (const run of cancelled) {
      this.reports.cancelled(run);
      if (run.partition === ON_RESTATE) this.uncancelled.add(run.id);
    }
    this.inBackground(this.cancelOnRestate());
    return cancelled.map((run) => run.id);
  }

  /** Delivers pending notifications of this process or another to Restate. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      await this.register();
      const now = new Date();
      const before = new Date(now.getTime() - RESEND_AFTER_MS);
      for (const id of await this.runs.takeUnsent(before, AT_ONCE, now)) await this.api.send(id);
      await this.notify(await this.runs.listReady(AT_ONCE));
      await this.cancelOnRestate();
    } finally {
      this.isPolling = false;
    }
  }

  /** Registers the URL of the replicas with the cluster. */
  private async register(): Promise<void> {
    if (this.isRegistered) return;
    await this.api.register(this.environment.RESTATE_ENDPOINT_URL ?? '');
    this.isRegistered = true;
  }

  private async notify(steps: readonly ReadyStep[]): Promise<void> {
    for (const { runId, step, awakeable } of steps) {
      await this.api.resolve(awakeable);
      await this.runs.markNotified(runId, step, awakeable);
    }
  }

  /** Stops the invocations of cancelled runs. Active runs notice the cancellation themselves; others wait for this. */
  private async cancelOnRestate(): Promise<void> {
    for (const id of this.uncancelled) {
      // Removed before the request: concurrent cancellations send the rest.
      this.uncancelled.delete(id);
      try {
        await this.api.cancel(await this.api.send(id));
      } catch (error) {
        this.uncancelled.add(id);
        throw error;
      }
    }
  }

  private inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.warn(error));
  }

  private warn(error: unknown): void {
    this.logger.warn(`Trying again soon. ${error instanceof Error ? error.message : String(error)}`);
  }
}
