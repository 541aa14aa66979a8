import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import { Lease } from '../../platform/database/lease.js';
import { AppError } from '../../platform/errors/app-error.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { Collections } from './collections.service.js';
import { retryDelayMs } from './models/embedding.rules.js';
import { EmbeddingRound } from './embedding-round.js';
import type { EmbeddingModel } from './models/embedding-model.js';
import { EmbeddingModels } from './models/embedding-models.service.js';
import { ReplicasDiffer } from './models/semantic.errors.js';
import { VectorStore } from './vector.store.js';

const EVERY_MS = 60_000;
const SOON_MS = 500;
/** How often a replica tries to continue where another one embeds, which may have been killed. */
const AGAIN_MS = 5_000;
/** The key of the space in which items are embedded. */
const SPACE = 'semantic.space';

export interface EmbeddingProgress {
  /** null = no model is configured, and searches use only words. */
  space: string | null;
  lastError: string | null;
  /** Time of the next attempt after a failure; null = no failure. */
  nextTryAt: Date | null;
}

/** Embeds, in the background, the items of all collections that have no embedding yet. */
@Injectable()
export class Embedder implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('Embeddings');
  /** Only one replica embeds and pays for each item. */
  private readonly lease: Lease;
  private readonly stopping = new AbortController();
  private readonly subscriptions: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;
  private soon: NodeJS.Timeout | null = null;
  private again: NodeJS.Timeout | null = null;
  private ticking: Promise<void> | null = null;
  private round: EmbeddingRound | null = null; // null = no round in progress
  /** True when another replica was embedding at the last attempt. */
  private elsewhere = false;
  private failures = 0;
  private lastError: string | null = null;
  private nextTryAt: Date | null = null;
  private failedAt: Date | null = null;
  /** True when settings have changed since they were last read. */
  private reconfigured = false;
  /** The space that this process has last chosen. */
  private chosen: string | null = null;

  constructor(
    private readonly models: EmbeddingModels,
    private readonly collections: Collections,
    private readonly vectors: VectorStore,
    private readonly facts: KeyValueStore,
    private readonly events: EventBus,
  ) {
    this.lease = new Lease(facts, 'knowledge.embedder');
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tickSafely(), EVERY_MS).unref();
    this.subscriptions.push(
      ...this.collections.all.map(({ changedBy }) => this.events.on(changedBy, () => this.tickSoon())),
      this.models.onReconfigured(() => {
        this.reconfigured = true;
        this.forgetFailures();
        this.tickSoon();
      }),
    );
    this.tickSoon();
  }

  beforeApplicationShutdown(): void {
    for (const unsubscribe of this.subscriptions) unsubscribe();
    if (this.timer) clearInterval(this.timer);
    if (this.soon) clearTimeout(this.soon);
    if (this.again) clearTimeout(this.again);
    this.stopping.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ticking?.catch(() => undefined);
  }

  progress(): EmbeddingProgress {
    const { current } = this.models;
    return {
      space: current?.space ?? null,
      lastError: current?.problem ?? this.lastError,
      nextTryAt: this.nextTryAt,
    };
  }

  /** Embeds all missing items; resolves when done or failed. A call during a running tick waits for that tick. */
  tick(now: () => Date): Promise<void> {
    this.ticking ??= this.work(now).finally(() => (this.ticking = null));
    return this.ticking;
  }

  private async work(now: () => Date): Promise<void> {
    if (this.mustWait(now())) return;
    for (let model = this.usable(); model !== null; model = this.changed(model)) {
      this.reconfigured = false;
      try {
        if (this.chosen !== model.space) await this.choose(model);
        await this.embedMissing(model, now);
        this.forgetFailures();
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        if (!(error instanceof AppError)) throw error;
        if (!this.changed(model)) this.failed(error, now());
      }
    }
  }

  private mustWait(now: Date): boolean {
    const { failedAt, nextTryAt } = this;
    // A failure in the future was before the clock was set back.
    return failedAt !== null && nextTryAt !== null && now >= failedAt && now < nextTryAt;
  }

  private async embedMissing(model: EmbeddingModel, now: () => Date): Promise<void> {
    const round = new EmbeddingRound(model, this.vectors);
    // Counting everything every few seconds would cost more than asking for the lease.
    if (!this.elsewhere && (await round.isDone(this.collectionsFor(model)))) return;
    this.round = round;
    try {
      this.elsewhere = !(await this.lease.hold(now, (lost) => this.embedAll(model, round, lost)));
    } finally {
      this.round = null;
    }
  }

  private async embedAll(model: EmbeddingModel, round: EmbeddingRound, lost: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, lost]);
    while (this.isCurrent(model) && !signal.aborted) {
      await this.assertChosen(model);
      if (!(await round.embedNext({ collections: this.collectionsFor(model), signal }))) break;
    }
  }

  // Where the settings of replicas differ, the last one that chose a model embeds. Otherwise, they would replace each other's vectors.
  private async choose({ space }: EmbeddingModel): Promise<void> {
    await this.facts.save(SPACE, space);
    this.chosen = space;
  }

  private async assertChosen({ space }: EmbeddingModel): Promise<void> {
    const chosen = await this.facts.find(SPACE);
    if (chosen !== undefined && chosen !== space) throw new ReplicasDiffer(chosen);
  }

  private usable(): EmbeddingModel | null {
    const { current } = this.models;
    return this.stopping.signal.aborted || !current || current.problem !== null ? null : current;
  }

  /** Returns the new model when settings have changed since `model` was read; null when they have not. */
  private changed({ space }: EmbeddingModel): EmbeddingModel | null {
    const usable = this.usable();
    return this.reconfigured || usable?.space !== space ? usable : null;
  }

  private collectionsFor({ space }: EmbeddingModel) {
    return this.collections.all.filter((collection) => this.models.currentFor(collection)?.space === space);
  }

  private failed(error: AppError, now: Date): void {
    this.failures += 1;
    this.lastError = error.message;
    this.failedAt = now;
    this.nextTryAt = new Date(now.getTime() + retryDelayMs(this.failures, error.retryAfterSeconds));
    this.logger.warn(`${error.message} (next try at ${this.nextTryAt.toISOString()})`);
  }

  private isCurrent(model: EmbeddingModel): boolean {
    return !this.stopping.signal.aborted && this.models.current?.space === model.space;
  }

  private forgetFailures(): void {
    this.failures = 0;
    this.lastError = null;
    this.nextTryAt = null;
  }

  // Debounced: several items are often saved one after the other.
  private tickSoon(): void {
    this.round?.reopen();
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.tickSafely();
    }, SOON_MS).unref();
  }

  private tickSafely(): void {
    void this.tick(() => new Date())
      .catch((error) => {
        if (!this.stopping.signal.aborted) this.logger.error(error);
      })
      .finally(() => {
        if (this.elsewhere) this.tickAgain();
      });
  }

  private tickAgain(): void {
    if (this.stopping.signal.aborted) return;
    this.again ??= setTimeout(() => {
      this.again = null;
      this.tickSafely();
    }, AGAIN_MS).unref();
  }
}
