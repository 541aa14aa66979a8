import { parseBoundedJson, storableText } from '#bounded-json';
import { estimatedTokens, type Tokens } from './tokens.rules.js';

/** Maximum length of an answer, in characters. */
const MAX_ANSWER = 400_000;
const MAX_DEPTH = 32;
/** More than any model uses for one request. */
const MOST_TOKENS = 10_000_000;

/** Thrown when a response is not a valid answer of a chat API, or is too long. */
export class UnreadableAnswer extends Error {}

/** Thrown when the API reports an error in the middle of its answer. */
export class FailedAnswer extends Error {}

interface Chunk {
  error?: { message?: unknown } | string;
  choices?: { delta?: Part | null; message?: Part | null; finish_reason?: unknown }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
}

interface Part {
  content?: unknown;
  refusal?: unknown;
}

/** Assembles the answer of a model from the events of a stream, or from a whole response. */
export class ChatAnswer {
  /** True when the model may have started, so that its tokens have to be paid. */
  isPaid = false;
  /** True when the stream has signalled its end. */
  isDone = false;
  /** Why the model stopped, such as `stop`, `length` or `content_filter`; null = not yet. */
  finish: string | null = null;
  /** Why the model refuses to answer; empty = no refusal. */
  refusal = '';
  private readonly parts: string[] = [];
  private length = 0;
  private counted: Tokens | null = null; // null = no count from the API

  constructor(
    private readonly prompt: readonly string[],
    private readonly onText: (part: string) => void,
  ) {}

  get isEmpty(): boolean {
    return this.length === 0;
  }

  get text(): string {
    return storableText(this.parts.join(''));
  }

  /** The count of the API, or an estimate. */
  get tokens(): Tokens {
    if (!this.isPaid) return { prompt: 0, completion: 0 };
    if (this.counted) return this.counted;
    const completion = this.isEmpty ? 0 : estimatedTokens(this.parts.join(''));
    return { prompt: estimatedTokens(...this.prompt), completion };
  }

  /** Adds the data of one event, or a whole answer. @throws UnreadableAnswer, FailedAnswer */
  take(data: string): void {
    if (data.trim() === '[DONE]') {
      this.isDone = true;
      return;
    }
    const parsed = parseBoundedJson(Buffer.from(data), MAX_DEPTH);
    if ('problem' in parsed || typeof parsed.value !== 'object' || parsed.value === null) {
      throw new UnreadableAnswer('a part of its answer is not a JSON object');
    }
    this.takeChunk(parsed.value);
  }

  private takeChunk({ error, choices, usage }: Chunk): void {
    if (error) {
      const reason = typeof error === 'string' ? error : error.message;
      throw new FailedAnswer(typeof reason === 'string' ? reason : 'no reason given');
    }
    if (usage) this.count(usage);
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    if (typeof choice !== 'object' || choice === null) return; // the last chunk has only the usage
    const { content, refusal } = choice.delta ?? choice.message ?? {};
    this.add(textOf(content));
    if (typeof refusal === 'string') this.refusal = (this.refusal + refusal).slice(0, 1_000);
    // Some servers send an empty reason until there is one.
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.finish = choice.finish_reason;
  }

  private add(part: string): void {
    if (part === '') return;
    this.length += part.length;
    if (this.length > MAX_ANSWER) throw new UnreadableAnswer(`its answer is longer than ${MAX_ANSWER} characters`);
    this.parts.push(part);
    this.onText(part);
  }

  private count({ prompt_tokens: prompt, completion_tokens: completion }: NonNullable<Chunk['usage']>): void {
    if (isCount(prompt) && isCount(completion)) this.counted = { prompt, completion };
  }
}

/** Returns the text of a content: a string, or a list of parts, as reasoning models of Mistral send it. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  const parts = content as ({ type?: unknown; text?: unknown } | null)[];
  return parts.map((part) => (part?.type === 'text' && typeof part.text === 'string' ? part.text : '')).join('');
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS;
