import { AppError } from '../../../platform/errors/app-error.js';

const MAX_NAMES = 20;

/** An error of a model; the message is for the caller. Messages of APIs may quote prompts, so they are never logged. */
export abstract class LlmError extends AppError {}

export class NoModel extends LlmError {
  constructor() {
    super(
      'unavailable',
      'llm.no_model',
      'No language model is set: an administrator sets llm.url and llm.models under Config.',
    );
  }
}

export class UnknownModel extends LlmError {
  constructor(name: string, names: readonly string[]) {
    const known = names.slice(0, MAX_NAMES).join(', ');
    super(
      'invalid',
      'llm.unknown_model',
      `There is no model ${JSON.stringify(name.slice(0, 100))}. The models are: ${known}. Leave "model" out to ask the first one.`,
    );
  }
}

/** Thrown when the key of a model was entered for another server. */
export class ModelKeyUnusable extends LlmError {
  constructor(problem: string) {
    super('unavailable', 'llm.key_unusable', problem);
  }
}

/** What may help: the same request, or only another model or server; null = neither. */
export type Remedy = 'again' | 'elsewhere' | null;

export class ModelFailed extends LlmError {
  readonly remedy: Remedy;
  /** The wait that the API requests; undefined = none. */
  readonly retryAfterMs: number | undefined;
  /** Status of the response; null = no response, or its stream broke. */
  readonly status: number | null;

  constructor(
    message: string,
    {
      remedy,
      status = null,
      retryAfterMs,
    }: { remedy: Remedy; status?: number | null; retryAfterMs?: number | undefined },
  ) {
    super(
      'unavailable',
      'llm.model_failed',
      message,
      retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
    );
    this.remedy = remedy;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export class BudgetReached extends LlmError {
  constructor({ setting, limit, used, needed, resetsAt }: BudgetState) {
    const whose = setting === 'llm.monthly_tokens' ? 'you have' : 'all clients together have';
    const left = Math.max(0, limit - used);
    super(
      'rate_limited',
      'llm.budget_reached',
      `The budget of language models is reached: of ${limit} tokens a month (${setting}), ${whose} used or reserved ${used}, and this ` +
        `request needs up to ${needed}. ${left > 0 ? `Lower max_tokens or shorten the prompt to fit ${left}, or wait: the` : 'The'} count ` +
        `starts anew at ${resetsAt}. An administrator can raise the setting.`,
    );
  }
}

export interface BudgetState {
  setting: 'llm.monthly_tokens' | 'llm.monthly_tokens_total';
  limit: number;
  used: number;
  needed: number;
  /** Start of the next month, ISO 8601. */
  resetsAt: string;
}

export class SchemaUnusable extends LlmError {
  constructor(parameter: string, problem: string) {
    super('invalid', 'llm.schema_unusable', `${parameter} cannot be used: ${problem}. Correct it and call again.`);
  }
}

export class AnswerUnfit extends LlmError {
  constructor(model: string, problems: readonly string[], isCut: boolean) {
    const advice = isCut
      ? 'The answer was cut off at max_tokens: raise it, or ask for less.'
      : 'Simplify the schema, say in the prompt what its fields mean, or name another model.';
    super(
      'unavailable',
      'llm.answer_unfit',
      `The answer of ${model} does not fit the schema${isCut ? '' : ', also when asked again'}: ${problems.join('; ')}. ${advice}`,
    );
  }
}
