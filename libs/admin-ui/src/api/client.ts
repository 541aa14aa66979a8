import createClient from 'openapi-fetch';
import { timedOut, toApiError, toUnreachable } from './api-error';
import type { components, paths } from './schema';
import { hasTimeLimit, TIME_LIMIT_MS } from './time-limit';

export type Schemas = components['schemas'];

/** Client of the REST API, typed by its OpenAPI document. It throws failures as `ApiError`. */
export const api = createClient<paths>({ fetch: withinTimeLimit });

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await toApiError(response);
  },
  onError({ error }) {
    throw toUnreachable(error);
  },
});

async function withinTimeLimit(request: Request): Promise<Response> {
  if (!hasTimeLimit(request)) return whole(await fetch(request));
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS);
  try {
    return await whole(await fetch(request, { signal: limit.signal }));
  } catch (error) {
    throw limit.signal.aborted ? timedOut() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for the body of an answer, so that one that is cut off or not from the service fails like one that never came. */
async function whole(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const body = await response.text();
  if (body !== '') JSON.parse(body);
  return new Response(body || null, response);
}

/** Headers for a change that applies only if this version is current. */
export const basedOn = (version: number | string) => ({ 'If-Match': `"${version}"` });

/** A request under way. */
export type Call<Body> = Promise<{ data?: Body; response: Response }>;

/** Returns the body of the response to a request; undefined for one that has none (204). */
export async function bodyOf<Body>(call: Call<Body>): Promise<Body> {
  const { data, response } = await call;
  if (data === undefined && response.status !== 204) throw new Error('the answer has no body');
  return data as Body;
}
