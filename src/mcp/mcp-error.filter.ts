import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { ErrorCode, sendError } from '#mcp-http';
import { AppError } from '../errors/app-error.js';
import { RequestRefused } from './mcp.errors.js';

const RETRY_AFTER_SECONDS = 10;

/** Whatever goes wrong at the endpoint is answered as a JSON-RPC error, never as HTML. */
@Catch()
export class McpErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(McpErrorFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    const res = host.switchToHttp().getResponse<Response>();
    if (exception instanceof RequestRefused) return sendError(res, exception.error, null, exception.headers);
    this.logger.error({ err: exception }, 'The MCP endpoint failed');
    if (exception instanceof AppError && exception.kind === 'unavailable') {
      const error = { httpStatus: 503, code: ErrorCode.refused, message: exception.message };
      return sendError(res, error, null, { 'Retry-After': String(exception.retryAfterSeconds ?? RETRY_AFTER_SECONDS) });
    }
    sendError(res, {
      httpStatus: 500,
      code: ErrorCode.internalError,
      message: 'Internal error: the service log says more',
    });
  }
}
