import type { FromThread, LogLevel, ModuleFiles, ModuleRequest, Progress } from './protocol.js';

const LEVELS: ReadonlySet<unknown> = new Set<LogLevel>(['debug', 'info', 'warning', 'error']);
const KINDS: ReadonlySet<unknown> = new Set<ModuleRequest['kind']>([
  'fetch',
  'query',
  'skill',
  'state_get',
  'state_set',
]);
/** Maximum characters of a line of the log, and of the text of a progress report. */
export const LONGEST_LINE = 2_000;
export const LONGEST_REPORT = 500;

/** Reads what a thread has sent: its module can send anything, also what cannot be sent on. Returns null when it is no message. */
export function readFromThread(sent: unknown): FromThread | null {
  const { type, id, request, ...rest } = fieldsOf(sent);
  switch (type) {
    case 'read':
      return isTexts(rest['files']) ? { type, files: { ...rest['files'] } } : null;
    case 'opened':
      return isText(rest['declaration']) ? { type, declaration: rest['declaration'] } : null;
    case 'refused':
      return isText(rest['message']) ? { type, message: rest['message'] } : null;
    case 'log':
      return isLevel(rest['level']) && isText(rest['text'])
        ? { type, level: rest['level'], text: rest['text'].slice(0, LONGEST_LINE) }
        : null;
  }
  if (!isNumber(id)) return null;
  switch (type) {
    case 'returned':
      return isText(rest['output']) ? { type, id, output: rest['output'] } : null;
    case 'failed':
      return isText(rest['message']) ? { type, id, message: rest['message'] } : null;
    case 'cancelling':
      return { type, id };
    case 'request': {
      const asked = requestIn(rest['asked']);
      return isNumber(request) && asked ? { type, id, request, asked } : null;
    }
    case 'progress': {
      const progress = progressIn(rest['progress']);
      return progress && { type, id, progress };
    }
    default:
      return null;
  }
}

function requestIn(asked: unknown): ModuleRequest | null {
  const { kind, value, body } = fieldsOf(asked);
  if (!isKind(kind) || !isText(value)) return null;
  if (body === undefined) return { kind, value };
  return body instanceof Uint8Array ? { kind, value, body } : null;
}

function progressIn(told: unknown): Progress | null {
  const { progress, total, message } = fieldsOf(told);
  if (!isNumber(progress)) return null;
  return {
    progress,
    ...(isNumber(total) && { total }),
    ...(isText(message) && { message: message.slice(0, LONGEST_REPORT) }),
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> => ({ ...(Object(value) as object) });
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isLevel = (value: unknown): value is LogLevel => LEVELS.has(value);
const isKind = (value: unknown): value is ModuleRequest['kind'] => KINDS.has(value);
const isTexts = (value: unknown): value is ModuleFiles =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText);
