import type { SkillContext } from '#skill-kit';
import { ownerOf } from '../../../access/clients/owner.js';
import type { Tokens } from '../models/tokens.rules.js';

/** How often a caller is sent the text so far. */
const REPORT_EVERY_MS = 250;
/** Characters of the text that a caller is sent. */
const REPORTED_CHARACTERS = 1_000;

/** A call of a skill that asks models: its time limit, its token usage, and the progress for its caller. */
export class LlmCall {
  readonly tokens: Tokens = { prompt: 0, completion: 0 };
  readonly principal: string;
  readonly signal: AbortSignal;
  private readonly endsAtMs: number;
  private reportedAtMs = -Infinity;
  private received = 0;
  private tail = '';

  constructor(
    private readonly context: SkillContext,
    limitMs: number,
  ) {
    this.principal = ownerOf(context.client);
    this.signal = context.signal;
    this.endsAtMs = performance.now() + limitMs;
  }

  /** Time until the call must have ended. */
  get leftMs(): number {
    return Math.max(0, this.endsAtMs - performance.now());
  }

  /** Called before each request to a model: text that was received before is not part of its answer. */
  begin(): void {
    this.tail = '';
  }

  /** Sends the end of the text so far to the caller, at intervals. */
  receive(part: string): void {
    this.received += part.length;
    this.tail = (this.tail + part).slice(-REPORTED_CHARACTERS);
    const now = performance.now();
    if (now - this.reportedAtMs < REPORT_EVERY_MS) return;
    this.reportedAtMs = now;
    this.context.progress(this.received, undefined, this.tail.toWellFormed());
  }

  spend({ prompt, completion }: Tokens): void {
    this.tokens.prompt += prompt;
    this.tokens.completion += completion;
  }
}
