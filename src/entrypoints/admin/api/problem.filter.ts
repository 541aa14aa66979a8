import { type ArgumentsHost, Catch, Logger } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppError } from '../../../platform/errors/app-error.js';
import { problemOf, UNEXPECTED } from './problem.rules.js';

const ADMIN_PATH = /^\/(?:admin|metrics)(?:[/?]|$)/i;

/**
 * Answers every error under /admin and /metrics with a problem document. Global, because the body parser and unknown paths
 * fail outside any controller; other paths keep Nest's default responses.
 */
@Catch()
export class ProblemFilter extends BaseExceptionFilter {
  private readonly logger = new Logger('Admin');

  override catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    if (!ADMIN_PATH.test(request.originalUrl)) return super.catch(error, host);
    this.answer(error, request, http.getResponse<Response>());
  }

  private answer(error: unknown, request: Request, response: Response): void {
    const problem = problemOf(error);
    if (!problem) this.logger.error(error);
    if (response.headersSent) {
      response.end();
      return;
    }
    const { status } = problem ?? UNEXPECTED;
    if (status === 401 && !isFromBrowserCode(request)) response.set('WWW-Authenticate', 'Basic realm="admin"');
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      response.set('Retry-After', String(error.retryAfterSeconds));
    }
    response
      .status(status)
      .set('Cache-Control', 'no-store')
      .type('application/problem+json')
      .send(JSON.stringify(problem ?? UNEXPECTED));
  }
}

// A challenge would make the browser show its own password prompt over our login page.
function isFromBrowserCode({ headers }: Request): boolean {
  return 'sec-fetch-mode' in headers || 'x-requested-with' in headers || 'cookie' in headers;
}
