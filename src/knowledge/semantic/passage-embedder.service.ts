import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FactStore } from '../../database/fact.store.js';
import { AppError } from '../../errors/app-error.js';
import { EventBus } from '../../events/event-bus.service.js';
import { EmbeddingBatch } from './embedding-batch.service.js';
import { retryDelayMs } from './embedding.rules.js';
import { EmbeddingsApi } from './embeddings-api.service.js';
import { VectorStore } from './vector.store.js';

const EVERY_MS = 60_000;
const SOON_MS = 500;
const PASSAGES_AT_ONCE = 32;
const LEASE = 'knowledge.embedder';
/** Longer than a batch takes, so that only one replica embeds, and pays for, each passage. */
const LEASE_MS = 90_000;

export interface EmbeddingProgress {
  /** Null = no embeddings API is set, and searches go by words only. */
  space: string | null;
  passages: number;
  embedded: number;
  lastError: string | null;
  /** When to try again after a failure; null = no failure. */
  nextTryAt: Date | null;
}

/** Embeds, in the background, the passages that have no embedding yet. */
@Injectable()
export class PassageEmbedder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Embeddings');
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();
  private readonly subscriptions: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;
  private soon: NodeJS.Timeout | null = null;
  private ticking: Promise<void> | null = null;
  private failures = 0;
  private lastError: string | null = null;
  private nextTryAt: Date | null = null;

  constructor(
    private readonly api: EmbeddingsApi,
    private readonly batch: EmbeddingBatch,
    private readonly vectors: VectorStore,
    private readonly facts: FactStore,
    private readonly events: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tickSafely(), EVERY_MS).unref();
    this.subscriptions.push(
      this.events.on('knowledge.changed', () => this.tickSoon()),
      this.api.onReconfigured(() => {
        this.forgetFailures();
        this.tickSoon();
      }),
    );
    this.tickSoon();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const unsubscribe of this.subscriptions) unsubscribe();
    if (this.timer) clearInterval(this.timer);
    if (this.soon) clearTimeout(this.soon);
    this.stopping.abort();
    await this.ticking?.catch(() => undefined);
  }

  async progress(): Promise<EmbeddingProgress> {
    const { space } = this.api;
    const counts = space === null ? { passages: 0, embedded: 0 } : await this.vectors.count(space);
    return { space, ...counts, lastError: this.api.problem ?? this.lastError, nextTryAt: this.nextTryAt };
  }

  /**
   * Embeds what is missing, and resolves when that is done or has failed. A call during a running tick waits for that
   * tick.
   */
  tick(now: Date): Promise<void> {
    this.ticking ??= this.work(now).finally(() => (this.ticking = null));
    return this.ticking;
  }

  private async work(now: Date): Promise<void> {
    const { space } = this.api;
    if (space === null || (this.nextTryAt && now < this.nextTryAt)) return;
    try {
      await this.embedMissing(space, now);
      this.forgetFailures();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.failures += 1;
      this.lastError = error.message;
      this.nextTryAt = new Date(now.getTime() + retryDelayMs(this.failures, error.retryAfterSeconds));
      this.logger.warn(`${error.message} (next try at ${this.nextTryAt.toISOString()})`);
    }
  }

  private async embedMissing(space: string, startedAt: Date): Promise<void> {
    const started = performance.now();
    const now = () => new Date(startedAt.getTime() + performance.now() - started);
    let before: number | null = null;
    try {
      while (await this.claimWork(space, now())) {
        const missing = await this.vectors.listMissing(space, before, PASSAGES_AT_ONCE);
        if (missing.length === 0 && before === null) return;
        if (missing.length > 0) {
          await this.vectors.save(space, await this.batch.embed(missing, this.stopping.signal), now());
        }
        // At the end, starts again from the newest: more passages may have been saved meanwhile.
        before = missing.at(-1)?.id ?? null;
      }
    } finally {
      await this.facts.claim(LEASE, this.owner, now(), now()); // ends the lease
    }
  }

  /** Returns whether passages are missing and this process holds the lease to embed them. */
  private async claimWork(space: string, now: Date): Promise<boolean> {
    if (this.stopping.signal.aborted || this.api.space !== space) return false;
    const { passages, embedded } = await this.vectors.count(space);
    return embedded < passages && this.facts.claim(LEASE, this.owner, now, new Date(now.getTime() + LEASE_MS));
  }

  private forgetFailures(): void {
    this.failures = 0;
    this.lastError = null;
    this.nextTryAt = null;
  }

  // Waits a moment: several documents are often saved one after the other.
  private tickSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.tickSafely();
    }, SOON_MS).unref();
  }

  private tickSafely(): void {
    void this.tick(new Date()).catch((error) => {
      if (!this.stopping.signal.aborted) this.logger.error(error);
    });
  }
}
