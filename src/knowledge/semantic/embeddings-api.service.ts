import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../config/settings.service.js';
import { EventBus } from '../../events/event-bus.service.js';
import { OutgoingHttp, type OutgoingResponse } from '../../outgoing-http/outgoing-http.service.js';
import { type Embedding, toEmbedding } from './embedding.rules.js';
import { EmbeddingsKeyOfAnother, EmbeddingsRefused, EmbeddingsUnreadable } from './embeddings.errors.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REASON = 300;

/** Calls the OpenAI-compatible API that is set, if one is: POST {url}/embeddings. */
@Injectable()
export class EmbeddingsApi {
  constructor(
    private readonly settings: SettingsService,
    private readonly http: OutgoingHttp,
    private readonly events: EventBus,
  ) {}

  /** Names the model and its server: only embeddings of the same space can be compared. Null = no API is set. */
  get space(): string | null {
    const [url, model] = [
      this.settings.get('knowledge.embeddings_url'),
      this.settings.get('knowledge.embeddings_model'),
    ];
    return url === '' || model === '' ? null : `${model} @ ${endpointOf(url)}`;
  }

  /** Why the API can't be used although it is set; null when it can be, or when none is set. */
  get problem(): string | null {
    return this.space === null ? null : this.settings.credentialProblem('knowledge.embeddings_key');
  }

  /**
   * Calls `listener` when settings change that may make failed calls work. Returns the function that unsubscribes it.
   */
  onReconfigured(listener: () => void): () => void {
    return this.events.on('setting.changed', ({ key }) => {
      if (/^(knowledge\.embeddings_|http\.)/.test(key)) listener();
    });
  }

  /**
   * Returns one embedding for each text, in the order of `texts`; null for a text that has none.
   * @throws EmbeddingsKeyOfAnother, EmbeddingsRefused, EmbeddingsUnreadable, the errors of OutgoingHttp
   */
  async embed(texts: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<(Embedding | null)[]> {
    if (this.problem !== null) throw new EmbeddingsKeyOfAnother(this.problem);
    const url = endpointOf(this.settings.get('knowledge.embeddings_url'));
    const key = this.settings.findCredential('knowledge.embeddings_key');
    const response = await this.http.fetch(url, {
      method: 'POST',
      accept: 'application/json',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model: this.settings.get('knowledge.embeddings_model'),
        input: texts,
        encoding_format: 'float',
      }),
      signal,
      timeoutMs,
      maxBytes: MAX_BYTES,
    });
    if (response.status !== 200) throw refusalOf(url, response);
    return toVectors(url, response, texts.length).map(toEmbedding);
  }
}

const endpointOf = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;

function refusalOf(url: string, { status, headers, body }: OutgoingResponse): EmbeddingsRefused {
  const text = body.toString('utf8');
  const answer = parsedOrNull(text) as { error?: { message?: unknown } | string; message?: unknown } | null;
  const error = typeof answer?.error === 'object' ? answer.error?.message : (answer?.error ?? answer?.message);
  const reason = typeof error === 'string' ? error : text;
  const seconds = Number(headers['retry-after']);
  return new EmbeddingsRefused(
    url,
    status,
    reason.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON).toWellFormed(),
    Number.isFinite(seconds) && headers['retry-after'] ? seconds : undefined,
  );
}

// Entries carry their index and may come in any order.
function toVectors(url: string, { body }: OutgoingResponse, count: number): number[][] {
  const answer = parsedOrNull(body.toString('utf8')) as { data?: unknown } | null;
  if (!Array.isArray(answer?.data)) throw new EmbeddingsUnreadable(url, 'its answer has no list "data"');
  const vectors: number[][] = [];
  (answer.data as ({ index?: unknown; embedding?: unknown } | null)[]).forEach((entry, position) => {
    const vector = entry?.embedding;
    if (!isVector(vector)) throw new EmbeddingsUnreadable(url, `"data.${position}.embedding" is not a list of numbers`);
    vectors[typeof entry?.index === 'number' ? entry.index : position] = vector;
  });
  const missing = Array.from({ length: count }, (_, index) => index).find((index) => !vectors[index]);
  if (missing !== undefined) throw new EmbeddingsUnreadable(url, `the embedding of input ${missing} is missing`);
  return vectors.slice(0, count);
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'number');

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
