import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import type { Embedding } from './embedding.rules.js';
import { EmbeddingsApi } from './embeddings-api.service.js';

/** A search does not wait longer for its meaning: what its words find is enough. */
const TIMEOUT_MS = 3_000;
const PAUSE_MS = 30_000;
const REMEMBERED = 500;

/** The embeddings of what is searched for. */
@Injectable()
export class QueryEmbeddings {
  private readonly logger = new Logger('Embeddings');
  private readonly known = new Map<string, Embedding>();
  private pausedUntil = 0;

  constructor(private readonly api: EmbeddingsApi) {
    api.onReconfigured(() => (this.pausedUntil = 0));
  }

  /** Null when there is none, or not in time. After a failure, none is asked for during 30 s, or until the settings change. */
  async find(space: string, query: string, now = Date.now()): Promise<Embedding | null> {
    const name = `${space}\n${query}`;
    const known = this.known.get(name);
    if (known) return known;
    if (now < this.pausedUntil) return null;
    try {
      const [embedding] = await this.api.embed([query], TIMEOUT_MS, NEVER);
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
