import { Injectable } from '@nestjs/common';
import { type Embedding, embeddedText } from './embedding.rules.js';
import { EmbeddingsApi } from './embeddings-api.service.js';
import { EmbeddingsRefused } from './embeddings.errors.js';
import type { UnembeddedPassage } from './vector.store.js';

const TIMEOUT_MS = 60_000;
/** A text of at most this many characters is never refused because of its length. */
const SHORT = 300;
const PROBE = 'test';

/** Embeds passages, and finds out which of them the server refuses. */
@Injectable()
export class EmbeddingBatch {
  constructor(private readonly api: EmbeddingsApi) {}

  /**
   * Returns embeddings keyed by passage id; null for a passage that can't be embedded.
   * @throws the errors of EmbeddingsApi
   */
  async embed(passages: readonly UnembeddedPassage[], signal: AbortSignal): Promise<Map<number, Embedding | null>> {
    const texts = passages.map(({ title, headings, content }) => embeddedText(title, headings, content));
    const embeddings = await this.embedTexts(texts, signal);
    return new Map(passages.map(({ id }, index) => [id, embeddings[index] ?? null]));
  }

  /**
   * Halves a refused batch, and then a refused text, until the server accepts them: models limit the length of inputs.
   */
  private async embedTexts(texts: readonly string[], signal: AbortSignal): Promise<(Embedding | null)[]> {
    const [only = ''] = texts;
    try {
      return await this.api.embed(texts, TIMEOUT_MS, signal);
    } catch (error) {
      if (!(error instanceof EmbeddingsRefused) || !error.mayBeTheInput) throw error;
      if (texts.length === 1 && only.length <= SHORT) return await this.probe(signal, error);
    }
    if (texts.length === 1) return this.embedTexts([only.slice(0, only.length / 2).toWellFormed()], signal);
    const half = Math.ceil(texts.length / 2);
    return [
      ...(await this.embedTexts(texts.slice(0, half), signal)),
      ...(await this.embedTexts(texts.slice(half), signal)),
    ];
  }

  /**
   * Returns null for the refused text when the server accepts another one; otherwise the fault is not the text's.
   * @throws `refusal`
   */
  private async probe(signal: AbortSignal, refusal: EmbeddingsRefused): Promise<[null]> {
    try {
      await this.api.embed([PROBE], TIMEOUT_MS, signal);
    } catch {
      throw refusal;
    }
    return [null];
  }
}
