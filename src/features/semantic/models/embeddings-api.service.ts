import { Injectable } from '@nestjs/common';
import { parsedOrNull } from '#bounded-json';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { OutgoingHttp, type OutgoingResponse } from '../../../platform/outgoing-http/outgoing-http.service.js';
import { retryAfterMs } from '../../../platform/outgoing-http/retry-after.rules.js';
import { type Embedding, toEmbedding } from './embedding.rules.js';
import { EmbeddingsRefused, EmbeddingsUnreadable, ModelNotUsable } from './semantic.errors.js';
import type { EmbeddingModel, EmbedOptions } from './embedding-model.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REASON = 300;
const TEXTS_AT_ONCE = 32;

/** Calls the configured OpenAI-compatible API, if any: POST {url}/embeddings. */
@Injectable()
export class EmbeddingsApi {
  constructor(
    private readonly settings: SettingsService,
    private readonly http: OutgoingHttp,
  ) {}

  /** The currently configured model of the API; null = none. */
  get current(): EmbeddingModel | null {
    const [url, model] = [
      this.settings.get('knowledge.embeddings_url'),
      this.settings.get('knowledge.embeddings_model'),
    ];
    if (url === '' || model === '') return null;
    const endpoint = endpointOf(url);
    const problem = this.settings.credentialProblem('knowledge.embeddings_key');
    // Read together with the URL for which it was entered.
    const key = this.settings.findCredential('knowledge.embeddings_key');
    return {
      space: `${model} @ ${endpoint}`,
      isBuiltin: false,
      problem,
      textsAtOnce: TEXTS_AT_ONCE,
      unrelatedBelow: null,
      embed: async (texts, options) => {
        if (problem !== null) throw new ModelNotUsable(problem);
        return this.embed({ endpoint, model, key }, texts, options);
      },
    };
  }

  private async embed(
    { endpoint, model, key }: Endpoint,
    texts: readonly string[],
    { timeoutMs, signal }: EmbedOptions,
  ): Promise<Embedding[]> {
    const response = await this.http.fetch(endpoint, {
      method: 'POST',
      accept: 'application/json',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      // A redirect could lead the texts to another server.
      followsRedirects: false,
      signal,
      timeoutMs,
      maxBytes: MAX_BYTES,
    });
    if (response.status !== 200) throw refusalOf({ endpoint, key }, response);
    return toVectors(endpoint, response, texts.length).map((vector, index) => directed(endpoint, vector, index));
  }
}

interface Endpoint {
  endpoint: string;
  model: string;
  key: string | undefined;
}

const endpointOf = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;

function refusalOf(
  { endpoint, key }: Omit<Endpoint, 'model'>,
  { status, headers, body }: OutgoingResponse,
): EmbeddingsRefused {
  const text = body.toString('utf8');
  const answer = parsedOrNull(text) as { error?: { message?: unknown } | string; message?: unknown } | null;
  const error = typeof answer?.error === 'object' ? answer.error?.message : (answer?.error ?? answer?.message);
  const reason = typeof error === 'string' ? error : text;
  // Some servers quote the key that they refuse; logs and administrators of all roles see the reason.
  const shown = key === undefined ? reason : reason.replaceAll(key, '***');
  const waitMs = retryAfterMs(headers['retry-after'], new Date());
  return new EmbeddingsRefused(
    endpoint,
    status,
    shown.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON).toWellFormed(),
    waitMs === null ? undefined : waitMs / 1_000,
  );
}

// Entries have an index, and may arrive in any order.
function toVectors(url: string, { body }: OutgoingResponse, count: number): number[][] {
  const answer = parsedOrNull(body.toString('utf8')) as { data?: unknown } | null;
  if (!Array.isArray(answer?.data)) throw new EmbeddingsUnreadable(url, 'its answer has no list "data"');
  const vectors: number[][] = [];
  (answer.data as ({ index?: unknown; embedding?: unknown } | null)[]).forEach((entry, position) => {
    const vector = entry?.embedding;
    if (!isVector(vector)) throw new EmbeddingsUnreadable(url, `"data.${position}.embedding" is not a list of numbers`);
    const index = entry?.index ?? position;
    if (!isIndex(index, count))
      throw new EmbeddingsUnreadable(url, `"data.${position}.index" is none of 0 to ${count - 1}`);
    vectors[index] = vector;
  });
  const missing = Array.from({ length: count }, (_, index) => index).find((index) => !vectors[index]);
  if (missing !== undefined) throw new EmbeddingsUnreadable(url, `the embedding of input ${missing} is missing`);
  const wrong = vectors.findIndex((vector) => vector.length !== vectors[0]?.length);
  if (wrong !== -1) {
    throw new EmbeddingsUnreadable(url, `the embeddings of inputs 0 and ${wrong} are not of the same length`);
  }
  return vectors.slice(0, count);
}

/** @throws EmbeddingsUnreadable: models send such a vector for an input that is too much for them, or for all when they are broken */
function directed(url: string, vector: readonly number[], index: number): Embedding {
  const embedding = toEmbedding(vector);
  if (embedding) return embedding;
  throw new EmbeddingsUnreadable(
    url,
    `the embedding of input ${index} has no direction: its numbers are 0 or too large`,
  );
}

const isIndex = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'number');
