import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  type HttpRequest,
  type HttpResponse,
  type RequestCall,
  standardError,
  type WorkflowError,
} from '#open-workflow';
import { AppError } from '../../../platform/errors/app-error.js';
import {
  ConnectionFailed,
  TimedOut,
  TooLarge,
  TooManyRedirects,
  UnsupportedUrl,
} from '../../../platform/outgoing-http/outgoing-http.errors.js';
import { OutgoingHttp } from '../../../platform/outgoing-http/outgoing-http.service.js';

/** Thrown when a redirect leads to a host to which the step may not send the content of the request. */
class RedirectRefused extends AppError {
  /** @param refusal the error of the step */
  constructor(readonly refusal: unknown) {
    super('denied', 'workflows.redirect_refused', `the redirect is not followed: ${String(refusal)}`);
  }
}

const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;
const LONGEST_MINUTES = 10;
const IDEMPOTENCY_KEY = 'idempotency-key';
const FITS_IN_HEADER = /^[\x21-\x7e]{1,255}$/;

@Injectable()
export class HttpCalls {
  constructor(private readonly http: OutgoingHttp) {}

  /**
   * Sends a request within a step, with the step's idempotency key as a header unless the request has that header.
   * @throws WorkflowError (communication, timeout, and the errors of `assertMayFollow`), whose detail never contains a header, a
   * body, or the part of the URL after the host, because these may contain secrets
   */
  async request(request: HttpRequest, { signal, idempotencyKey, assertMayFollow }: RequestCall): Promise<HttpResponse> {
    const headers = { [IDEMPOTENCY_KEY]: toHeaderValue(idempotencyKey), ...inLowerCase(request.headers) };
    try {
      const {
        status,
        headers: answered,
        body,
      } = await this.http.fetch(request.url, {
        method: request.method,
        headers,
        ...(request.body !== null && { body: request.body }),
        followsRedirects: request.followRedirects,
        assertMayFollow: ({ url, headers }) => orRefuse(() => assertMayFollow({ url: url.href, headers })),
        signal,
        timeoutMs: LONGEST_MINUTES * 60_000,
        maxBytes: MAX_RESPONSE_BYTES,
      });
      return { status, headers: toTexts(answered), body };
    } catch (error) {
      throw failureOf(error, request, signal);
    }
  }
}

/** @throws RedirectRefused */
function orRefuse(assert: () => void): void {
  try {
    assert();
  } catch (error) {
    throw new RedirectRefused(error);
  }
}

function failureOf(error: unknown, { method, url }: HttpRequest, signal: AbortSignal): unknown {
  if (error instanceof RedirectRefused) return error.refusal;
  const what = `${method.toUpperCase()} ${originOf(url)}`;
  if (signal.aborted) {
    return isTimeout(signal.reason) ? standardError('timeout', `${what} was not complete in time`) : signal.reason;
  }
  if (error instanceof TimedOut) {
    return standardError('timeout', `${what} was not complete within ${LONGEST_MINUTES} minutes`);
  }
  return error instanceof AppError ? communicationError(error, what) : error;
}

function communicationError(error: AppError, what: string): WorkflowError {
  if (error instanceof ConnectionFailed) return standardError('communication', `${what} failed: ${error.reason}`);
  if (error instanceof UnsupportedUrl) {
    return standardError('communication', `the URL of a request cannot be used: ${error.reason}`);
  }
  if (error instanceof TooLarge) {
    const megabytes = MAX_RESPONSE_BYTES / 1024 / 1024;
    return standardError(
      'communication',
      `the response to ${what} is larger than ${megabytes} MB: ask for less at once`,
    );
  }
  if (error instanceof TooManyRedirects) return standardError('communication', `${what} was redirected too often`);
  // Refusals of hosts name only the host.
  return standardError('communication', `${what} was not sent: ${error.message}`);
}

const isTimeout = (reason: unknown): boolean =>
  typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';

const originOf = (url: string): string => URL.parse(url)?.host ?? 'an invalid URL';

// Names of tasks may have any characters, but headers may not.
const toHeaderValue = (key: string): string => (FITS_IN_HEADER.test(key) ? key : hash('sha256', key));

const inLowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const toTexts = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
