import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Embedding } from './models/embedding.rules.js';
import type { EmbeddingModel } from './models/embedding-model.js';
import { EmbeddingModels } from './models/embedding-models.service.js';

/** A search waits no longer for the embedding of its query; then it goes by words only. */
const TIMEOUT_MS = 3_000;
const PAUSE_MS = 30_000;
const REMEMBERED = 500;

/** Embeds queries, and remembers the embeddings of the last 500. */
@Injectable()
export class QueryEmbeddings {
  private readonly logger = new Logger('Embeddings');
  private readonly known = new Map<string, Embedding>();
  private pausedUntil = 0;

  constructor(models: EmbeddingModels) {
    models.onReconfigured(() => (this.pausedUntil = 0));
  }

  /**
   * Returns the embedding of a query; null when there is none in time. After a failure, asks the model for none during 30
   * s or until the settings change.
   */
  async find(model: EmbeddingModel, query: string, now = Date.now()): Promise<Embedding | null> {
    const name = `${model.space}\n${query}`;
    const known = this.known.get(name);
    if (known) return known;
    if (now < this.pausedUntil || model.problem !== null) return null;
    try {
      const [embedding] = await model.embed([query], { urgent: true, timeoutMs: TIMEOUT_MS, signal: NEVER });
      if (embedding) this.remember(name, embedding);
      return embedding ?? null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.pausedUntil = now + PAUSE_MS;
      this.logger.warn(`searching by words only: ${error.message}`);
      return null;
    }
  }

  private remember(name: string, embedding: Embedding): void {
    const [oldest] = this.known.keys();
    if (this.known.size >= REMEMBERED && oldest !== undefined) this.known.delete(oldest);
    this.known.set(name, embedding);
  }
}

const NEVER = new AbortController().signal;
