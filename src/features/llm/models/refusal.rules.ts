import { retryAfterMs } from '../../../platform/outgoing-http/retry-after.rules.js';
import { ModelFailed, type Remedy } from './llm.errors.js';
import type { LlmModel } from './llm-models.service.js';

const MAX_REASON = 300;
const LONGEST_WAIT_MS = 86_400_000;
/** Status codes of transient failures (RFC 9110, section 15.5; RFC 6585). */
const PASSING: readonly number[] = [408, 409, 425, 429];
const NO_CREDIT = 402;

/** Returns the error of a response that is not 200: what is wrong, and what to do. */
export function refusalOf(
  model: LlmModel,
  status: number,
  reason: string,
  retryAfter: string | undefined,
): ModelFailed {
  const remedy = remedyOf(status);
  const waitMs = remedy === 'again' ? waitOf(retryAfter) : undefined;
  const advice = adviceOf(model, status, quoted(reason, model));
  const wait = waitMs === undefined ? '' : ` It asks to wait ${Math.ceil(waitMs / 1000)} s.`;
  const message = `${model.name} (${hostOf(model)}) answered ${status}${advice}${wait}`;
  return new ModelFailed(message, { remedy, status, retryAfterMs: waitMs });
}

/** Returns the message of an API, truncated and without the key and line breaks. */
export function quoted(reason: string, { key }: LlmModel): string {
  const shown = key === undefined ? reason : reason.replaceAll(key, '***');
  return shown
    .slice(0, MAX_REASON * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_REASON)
    .toWellFormed();
}

export const hostOf = ({ endpoint }: Pick<LlmModel, 'endpoint'>): string => URL.parse(endpoint)?.host ?? endpoint;

function remedyOf(status: number): Remedy {
  if (PASSING.includes(status) || status >= 500) return 'again';
  return status === NO_CREDIT ? 'elsewhere' : null;
}

function adviceOf({ id, key }: LlmModel, status: number, reason: string): string {
  const because = reason === '' ? '' : `: ${reason}`;
  const isTooLong = /context.{0,20}(length|window)|too (long|large|many tokens)|maximum context/i.test(reason);
  if (status === 401 || status === 403) {
    // The message may quote the key.
    const what =
      key === undefined ? 'It needs a key, and none is set' : 'It does not accept the key, or not for this model';
    return `. ${what}: an administrator enters the key under Config, Language models.`;
  }
  if (status === 413 || isTooLong) {
    return `${because}. The prompt is too long for the model: shorten it, lower max_tokens, or name a model that takes more.`;
  }
  if (status === 404) {
    return `${because}. It knows no model ${id}, or its URL is wrong: an administrator corrects them under Config, Language models.`;
  }
  if (status === NO_CREDIT) return `${because}. Its account has no credit: tell an administrator.`;
  if (status === 429) return `${because}. It has too much to do, or its quota is used up: try again later.`;
  if (status >= 500) return `${because}. Its server fails: try again later.`;
  if (status >= 300 && status < 400) {
    return `. It redirects, which is not followed with a key: an administrator enters the URL that it redirects to under Config, Language models.`;
  }
  return `${because}. Change the request, or tell an administrator.`;
}

/** Returns the wait that a header asks for, at most a day; undefined = none. */
function waitOf(header: string | undefined): number | undefined {
  const waitMs = retryAfterMs(header, new Date());
  return waitMs === null ? undefined : Math.min(waitMs, LONGEST_WAIT_MS);
}
