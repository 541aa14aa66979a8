import { Injectable } from '@nestjs/common';
import { type Embedding, embeddedText } from './embedding.rules.js';
import { EmbeddingsApi } from './embeddings-api.service.js';
import { EmbeddingsRefused } from './embeddings.errors.js';
import type { UnembeddedPassage } from './vector.store.js';

const TIMEOUT_MS = 60_000;
/** What is refused even though it is no longer than this is refused for another reason than its length. */
const SHORT = 300;
const PROBE = 'test';

/** Has passages embedded, and finds out which of them a server does not take. */
@Injectable()
export class EmbeddingBatch {
  constructor(private readonly api: EmbeddingsApi) {}

  /** By id; null for a passage that can't be embedded. @throws the errors of EmbeddingsApi */
  async embed(passages: readonly UnembeddedPassage[], signal: AbortSignal): Promise<Map<number, Embedding | null>> {
    const texts = passages.map(({ title, headings, content }) => embeddedText(title, headings, content));
    const embeddings = await this.embedTexts(texts, signal);
    return new Map(passages.map(({ id }, index) => [id, embeddings[index] ?? null]));
  }

  /** Models take only so much: what is refused is taken apart, and a single text is cut. */
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

  /** If even this is refused, it is not the text: then the model or the server is wrong. */
  private async probe(signal: AbortSignal, refusal: EmbeddingsRefused): Promise<[null]> {
    try {
      await this.api.embed([PROBE], TIMEOUT_MS, signal);
    } catch {
      throw refusal;
    }
    return [null];
  }
}
