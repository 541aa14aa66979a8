import { Injectable } from '@nestjs/common';
import { createParser } from 'eventsource-parser';
import { AppError } from '../../../platform/errors/app-error.js';
import { TimedOut } from '../../../platform/outgoing-http/outgoing-http.errors.js';
import { OutgoingHttp, type OutgoingStream } from '../../../platform/outgoing-http/outgoing-http.service.js';
import { LlmError, ModelFailed, ModelKeyUnusable } from './llm.errors.js';
import { type ChatAnswer, FailedAnswer, UnreadableAnswer } from './chat-answer.js';
import { type ChatDialect, type ChatRequest, dialectAfter, toBody, USUAL_DIALECT } from './chat-request.rules.js';
import type { LlmModel } from './llm-models.service.js';
import { hostOf, quoted, refusalOf } from './refusal.rules.js';
import { Patience } from './patience.js';

/** Bytes of a response: a stream wraps each token in a few hundred. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Characters of one event, and of an answer that is not streamed. */
const MAX_EVENT = 2 * 1024 * 1024;
/** After the answer, only its token count and the end of the stream follow, which some servers leave out. */
const MOST_REST_MS = 2_000;
const MAX_REFUSAL = 64 * 1024;

export interface ChatLimits {
  /** Aborts the request, which then throws the signal's reason. */
  signal: AbortSignal;
  /** Timeout of the whole request. */
  timeoutMs: number;
  /** Timeout for the next part of the answer. */
  patienceMs: number;
}

/** Asks models through OpenAI-compatible chat APIs: POST {url}/chat/completions. */
@Injectable()
export class ChatApi {
  /** The dialects of models that differ from the default, by endpoint and id; learnt from refused parameters. */
  private readonly dialects = new Map<string, ChatDialect>();

  constructor(private readonly http: OutgoingHttp) {}

  /**
   * Asks a model once, and fills the answer as it arrives. The schema goes into the prompt when the API supports none.
   * @throws ModelKeyUnusable, ModelFailed, and the reason of the signal
   */
  async ask(model: LlmModel, request: ChatRequest, answer: ChatAnswer, limits: ChatLimits): Promise<void> {
    if (model.problem !== null) throw new ModelKeyUnusable(model.problem);
    const patience = new Patience(limits.patienceMs);
    const signal = AbortSignal.any([limits.signal, patience.signal]);
    try {
      const response = await this.send(model, request, { ...limits, signal });
      answer.isPaid = true;
      await read(response, answer, () =>
        answer.finish === null ? patience.renew() : patience.endWithin(MOST_REST_MS),
      );
    } catch (error) {
      answer.isPaid ||= signal.aborted || error instanceof TimedOut;
      limits.signal.throwIfAborted();
      if (patience.signal.aborted && answer.finish === null) throw tooSlow(model, limits.patienceMs);
      if (!isAfterAnswer(answer, error)) throw failureOf(model, error);
    } finally {
      patience.end();
    }
    assertComplete(model, answer);
  }

  /** Sends the request, again without the parameters that the API refuses, until the response is 200. */
  private async send(model: LlmModel, request: ChatRequest, { signal, timeoutMs }: Omit<ChatLimits, 'patienceMs'>) {
    const known = `${model.endpoint} ${model.id}`;
    let dialect = this.dialects.get(known) ?? USUAL_DIALECT;
    for (;;) {
      const response = await this.http.stream(model.endpoint, {
        method: 'POST',
        accept: 'text/event-stream, application/json',
        headers: {
          'content-type': 'application/json',
          ...(model.key !== undefined && { authorization: `Bearer ${model.key}` }),
        },
        body: JSON.stringify(toBody(model.id, request, dialect)),
        followsRedirects: false,
        signal,
        timeoutMs,
        maxBytes: MAX_BYTES,
      });
      if (response.status === 200) return response;
      const reason = reasonIn(await beginningOf(response, MAX_REFUSAL));
      const other = dialectAfter(dialect, response.status, reason);
      if (other === null) throw refusalOf(model, response.status, reason, response.headers['retry-after']);
      dialect = other;
      // The API may accept other schemas.
      this.dialects.set(known, { ...dialect, hasSchemas: true });
    }
  }
}

/** @throws UnreadableAnswer, FailedAnswer, and the errors of the stream */
async function read({ headers, body }: OutgoingStream, answer: ChatAnswer, onPart: () => void): Promise<void> {
  if (!/^text\/event-stream\b/i.test(headers['content-type'] ?? '')) {
    answer.take(await textOf(body, MAX_EVENT));
    if (answer.finish === null) throw new UnreadableAnswer('it has no "choices" with a "finish_reason"');
    return;
  }
  let isTooLong = false;
  const parser = createParser({
    onEvent: ({ data }) => answer.isDone || answer.take(data),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
    maxBufferSize: MAX_EVENT,
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    onPart();
    if (isTooLong) throw new UnreadableAnswer(`an event of its stream is longer than ${MAX_EVENT} characters`);
    if (answer.isDone) return;
  }
}

async function textOf(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new UnreadableAnswer(`its answer is larger than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function beginningOf({ body }: OutgoingStream, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, most);
}

/** Returns the message in the body of a refusal: `{"error":{"message"}}` in most APIs. */
function reasonIn(text: string): string {
  try {
    const { error, message, detail } = Object(JSON.parse(text)) as Record<string, unknown>;
    const reported = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    return [reported, message, detail].find((one) => typeof one === 'string') ?? text;
  } catch {
    return text;
  }
}

/** Returns whether the answer was complete before the connection failed, which has kept back the end of its stream. */
const isAfterAnswer = ({ finish }: ChatAnswer, error: unknown): boolean =>
  finish !== null && !(error instanceof UnreadableAnswer) && !(error instanceof FailedAnswer);

/** @throws ModelFailed */
function assertComplete(model: LlmModel, { isDone, isEmpty, finish, refusal }: ChatAnswer): void {
  const who = `${model.name} (${hostOf(model)})`;
  if ((finish === null && !isDone) || finish === 'error') {
    throw new ModelFailed(`${who} broke off its answer.`, { remedy: 'again' });
  }
  // With these reasons, an empty answer has an explanation of its own.
  if (!isEmpty || refusal !== '' || finish === 'length' || finish === 'content_filter') return;
  const reason = finish === null ? '' : `, and stopped because of "${quoted(finish, model)}"`;
  throw new ModelFailed(`${who} sent an answer without text${reason}.`, { remedy: 'again' });
}

const tooSlow = (model: LlmModel, ms: number) =>
  new ModelFailed(`${model.name} (${hostOf(model)}) sent nothing for ${Math.round(ms)} ms.`, { remedy: 'again' });

function failureOf(model: LlmModel, error: unknown): unknown {
  if (error instanceof LlmError) return error;
  const who = `${model.name} (${hostOf(model)})`;
  if (error instanceof UnreadableAnswer) {
    const advice = 'An administrator checks its URL under Config, Language models.';
    return new ModelFailed(`${who} does not answer as a chat API does: ${error.message}. ${advice}`, {
      remedy: 'elsewhere',
    });
  }
  if (error instanceof FailedAnswer) {
    return new ModelFailed(`${who} failed in the middle of its answer: ${quoted(error.message, model)}`, {
      remedy: 'again',
    });
  }
  if (!(error instanceof AppError)) return error;
  const isRefused =
    error.kind === 'denied' || error.code === 'http.no_public_address' || error.code === 'http.too_large';
  return new ModelFailed(`${who}: ${error.message}`, {
    remedy: !isRefused && error.kind === 'unavailable' ? 'again' : null,
  });
}
