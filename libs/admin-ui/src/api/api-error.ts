import type { components } from './schema';

type Problem = components['schemas']['Problem'];

interface ApiErrorParts {
  status: number; // 0 = no answer
  code: string;
  fields?: Problem['errors'];
  retryAfterSeconds?: number | null;
}

/** A failed request, with the explanation of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly fields: NonNullable<Problem['errors']>;
  readonly retryAfterSeconds: number | null;

  constructor(detail: string, { status, code, fields = [], retryAfterSeconds = null }: ApiErrorParts) {
    super(detail);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const isLoggedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'admin.not_authenticated';

/** Returns whether a change failed because its object has changed since it was read; nothing was done then. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Returns whether something that was asked for does not exist. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Returns whether the service did not answer a request, so that it is not known what became of it. */
export const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

export const isTimedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'timed_out';

/** Returns the problems of the sent fields, by field name. */
export const fieldErrors = (error: unknown): ReadonlyMap<string, string> =>
  new Map(error instanceof ApiError ? error.fields.map(({ path, message }) => [path, message]) : []);

/** Builds the error from a failed response: a problem document, or whatever a proxy in between sent. */
export async function toApiError(response: Response): Promise<ApiError> {
  const retryAfterSeconds = Number(response.headers.get('Retry-After')) || null;
  const { status } = response;
  const problem = await readProblem(response);
  if (!problem) return new ApiError(statusMessage(response), { status, code: 'unknown', retryAfterSeconds });
  return new ApiError(problem.detail, { status, code: problem.code, fields: problem.errors, retryAfterSeconds });
}

/** Builds the error of a request that the service has not answered in time. */
export const timedOut = (): ApiError => new ApiError(NO_ANSWER, { status: 0, code: 'timed_out' });

/** Builds the error from what was thrown while an answer was fetched and read. */
export function toUnreachable(error: unknown): unknown {
  if (error instanceof TypeError) return new ApiError(NO_ANSWER, { status: 0, code: 'unreachable' });
  if (error instanceof SyntaxError) return new ApiError(UNREADABLE, { status: 0, code: 'unreadable' });
  return error;
}

const NO_ANSWER = 'The service does not answer. Check that it is running and that you are online.';
const UNREADABLE = 'The answer cannot be read: it was cut off, or a proxy in between replaced it. Try again.';

async function readProblem(response: Response): Promise<Problem | null> {
  try {
    const body: unknown = await response.json();
    return isProblem(body) ? body : null;
  } catch {
    return null;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
}

const statusMessage = ({ status, statusText }: Response) =>
  `The answer was ${status}${statusText && ` ${statusText}`}, without an explanation. A proxy in between may have sent it.`;
