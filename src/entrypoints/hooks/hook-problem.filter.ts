import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { AppError, type ErrorKind } from '../../platform/errors/app-error.js';

/** Answers whatever goes wrong with a message with a small RFC 9457 problem document. */
@Catch()
export class HookProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Webhooks');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const status = statusOf(error);
    if (status === 500) this.logger.error({ err: error }, 'A message to a webhook could not be taken');
    if (response.headersSent) return void response.end();
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      response.set('Retry-After', String(error.retryAfterSeconds));
    }
    const detail =
      status === 500 || !(error instanceof Error) ? 'something went wrong here: send it again later' : error.message;
    const code = error instanceof AppError ? error.code : `webhooks.http_${status}`;
    response
      .status(status)
      .set('Cache-Control', 'no-store')
      .type('application/problem+json')
      .send(JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail }));
  }
}

function statusOf(error: unknown): number {
  if (error instanceof AppError) return STATUS[error.kind];
  return error instanceof HttpException ? error.getStatus() : 500;
}

const STATUS = {
  invalid: 400,
  unauthorized: 401,
  denied: 403,
  not_found: 404,
  conflict: 409,
  outdated: 412,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;
