import type { WrittenRequest } from './written-request.js';

export interface Answer {
  status: number;
  contentType: string;
  text: string;
}

/** Statuses with which Node itself responds to invalid HTTP. */
const OF_NODE = [400, 408, 431];

/** Returns violations of what the service guarantees for any input. */
export function complaintsAbout(request: WrittenRequest, isValid: boolean, answer: Answer): string[] {
  const { status, text } = answer;
  const found: string[] = [];
  if (status >= 500 && status !== 503) found.push(`status ${status}`);
  if (!isAsDescribed(request, answer)) found.push(`not what is described (${status} ${answer.contentType})`);
  if (isValid && status === 400 && text.includes('invalid_json')) found.push('valid JSON was not taken for such');
  const body = request.body?.toString('latin1').slice(0, 400) ?? '';
  return found.map(
    (complaint) =>
      `${request.method} ${request.url.slice(0, 300)} ${JSON.stringify(request.headers)} ${body}: ${complaint}: ${text.slice(0, 300)}`,
  );
}

function isAsDescribed({ method, url, operation }: WrittenRequest, { status, contentType, text }: Answer): boolean {
  // Pages of the administration, and other paths beside its API.
  if (method === 'HEAD' || !/^\/admin\/api\//.test(url)) return true;
  if (status >= 400) return isProblem(status, contentType, text) || (OF_NODE.includes(status) && text === '');
  if (method !== operation.method) return true;
  const types = [...operation.answers].find(([declared]) => declared === status)?.[1];
  // A path with an inserted string may match another operation.
  if (types === undefined) return status === 200 || status === 204;
  return !/^application\/json(;|$)/.test(contentType) || isJson(text);
}

function isProblem(status: number, contentType: string, text: string): boolean {
  if (!contentType.startsWith('application/problem+json') || !isJson(text)) return false;
  const problem = JSON.parse(text) as { status?: unknown; code?: unknown; detail?: unknown };
  return problem.status === status && typeof problem.code === 'string' && typeof problem.detail === 'string';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
