import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Lack } from '../../platform/text/search-lacks.rules.js';
import type { Embedding } from './models/embedding.rules.js';
import type { EmbeddingModel, EmbedOptions } from './models/embedding-model.js';
import { EmbeddingModels } from './models/embedding-models.service.js';
import { embedTexts } from './models/refused-texts.js';
import { BuiltinModelBusy } from './models/semantic.errors.js';

/** Maximum wait for the embedding of a query; the search then uses only words. */
const TIMEOUT_MS = 3_000;
const PAUSE_MS = 30_000;
const REMEMBERED = 500;

/** A time in which the model is not called, and searches use only words. */
interface Pause {
  lack: Lack;
  /** By `performance.now`: the clock may be set back. */
  until: number;
  because: string;
}

/** Embeds queries, and caches the last 500 embeddings. */
@Injectable()
export class QueryEmbeddings implements OnApplicationBootstrap {
  private readonly logger = new Logger('Embeddings');
  private readonly known = new Map<string, Embedding>();
  private pause: Pause | null = null;

  constructor(private readonly models: EmbeddingModels) {
    models.onReconfigured(() => {
      this.pause = null;
      this.loadBuiltin();
    });
  }

  onApplicationBootstrap(): void {
    this.loadBuiltin();
  }

  /** Returns why searches currently use only words; null when they do not. */
  problem(now = performance.now()): string | null {
    return this.pauseAt(now)?.because ?? null;
  }

  /**
   * Returns the embedding of a query; null when there is none in time. After a failure, the model is not called for 30 s or until
   * the settings change; while the built-in model is busy, until it is free.
   * @param lacks collects what the search lacks in this case
   */
  async find(
    model: EmbeddingModel,
    query: string,
    lacks?: Set<Lack>,
    now = performance.now(),
  ): Promise<Embedding | null> {
    const name = nameOf(model, query);
    const known = this.known.get(name);
    if (known) return known;
    const lack = model.problem === null ? this.pauseAt(now)?.lack : 'model-failed';
    if (lack) {
      lacks?.add(lack);
      return null;
    }
    try {
      // One client's query that is too long for the model must not turn it off for all.
      const [embedding] = await embedTexts(model, [query], within(TIMEOUT_MS));
      if (embedding) this.remember(name, embedding);
      return embedding ?? null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const pause = this.pauseFor(error, now);
      this.pause = pause;
      lacks?.add(pause.lack);
      this.logger.warn(`searching by words only: ${error.message}`);
      return null;
    }
  }

  /** Like `find`, but bypasses the cache: the model under this name has been replaced. */
  findAgain(model: EmbeddingModel, query: string, lacks?: Set<Lack>): Promise<Embedding | null> {
    this.known.delete(nameOf(model, query));
    return this.find(model, query, lacks);
  }

  private pauseAt(now: number): Pause | null {
    return this.pause && now < this.pause.until ? this.pause : null;
  }

  private pauseFor(error: AppError, now: number): Pause {
    if (!(error instanceof BuiltinModelBusy)) {
      return { lack: 'model-failed', until: now + PAUSE_MS, because: error.message };
    }
    const pause = { lack: 'model-busy', until: Infinity, because: error.message } as const;
    const end = (): void => {
      if (this.pause === pause) this.pause = null;
    };
    error.free.then(end, end);
    return pause;
  }

  /** Loads the built-in model before the first search needs it. That search reports any failure. */
  private loadBuiltin(): void {
    const { current } = this.models;
    if (!current?.isBuiltin) return;
    void current.embed(['load'], { urgent: false, timeoutMs: LOADING_MS, signal: NEVER }).catch(() => undefined);
  }

  private remember(name: string, embedding: Embedding): void {
    const [oldest] = this.known.keys();
    if (this.known.size >= REMEMBERED && oldest !== undefined) this.known.delete(oldest);
    this.known.set(name, embedding);
  }
}

const nameOf = ({ space }: EmbeddingModel, query: string): string => `${space}\n${query}`;

/** Returns the options of each of several requests that together may take a time. */
function within(timeoutMs: number): () => EmbedOptions {
  const end = performance.now() + timeoutMs;
  return () => ({ urgent: true, timeoutMs: Math.max(1, Math.ceil(end - performance.now())), signal: NEVER });
}

const LOADING_MS = 60_000;
const NEVER = new AbortController().signal;
