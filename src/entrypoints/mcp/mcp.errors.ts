import { ProtocolError } from '@modelcontextprotocol/server';
import { ErrorCode, ResourceNotFoundError, TASKS_REQUIRED } from '#mcp-http';
import { ProtocolFault } from '#skill-kit';
import { AppError, type ErrorKind } from '../../platform/errors/app-error.js';
import { ResourceNotFound } from '../../core/resources/resources.errors.js';
import { TasksRequired } from '../../core/skills/skills.errors.js';

/** Converts an error of a request handler for the client. An unknown error is a bug: its text only goes to the log. */
export function toProtocolError(error: unknown, logBug: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof ResourceNotFound) return new ResourceNotFoundError(error.message, error.uri);
  if (error instanceof ProtocolFault) return new ProtocolError(error.code, error.message);
  if (error instanceof TasksRequired)
    return new ProtocolError(ErrorCode.missingCapability, error.message, TASKS_REQUIRED);
  if (error instanceof AppError) return new ProtocolError(codeOf(error.kind), error.message, { code: error.code });
  logBug(error);
  return new ProtocolError(ErrorCode.internalError, 'Internal error: the service log says more');
}

function codeOf(kind: ErrorKind): number {
  switch (kind) {
    case 'not_found':
    case 'invalid':
    case 'conflict':
    case 'outdated':
      return ErrorCode.invalidParams;
    case 'denied':
    case 'unauthorized':
    case 'rate_limited':
      return ErrorCode.refused;
    case 'unavailable':
      return ErrorCode.internalError;
  }
}
