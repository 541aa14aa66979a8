import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { AppError, type ErrorKind } from '../../../platform/errors/app-error.js';
import type { OutdatedProblem, Problem } from './problem.schema.js';
import { OutdatedChange } from './versions/versions.errors.js';

export function statusOf(kind: ErrorKind): number {
  switch (kind) {
    case 'invalid':
      return 400;
    case 'unauthorized':
      return 401;
    case 'denied':
      return 403;
    case 'not_found':
      return 404;
    case 'conflict':
      return 409;
    case 'outdated':
      return 412;
    case 'rate_limited':
      return 429;
    case 'unavailable':
      return 503;
  }
}

/** Returns the problem document that an administrator gets for an error; null for a bug, whose details are only logged. */
export function problemOf(error: unknown): Problem | OutdatedProblem | null {
  if (error instanceof AppError) {
    const { code, message, fields } = error;
    const body = problem({ status: statusOf(error.kind), code, detail: message, ...(fields && { errors: fields }) });
    return error instanceof OutdatedChange ? { ...body, present: error.present } : body;
  }
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return status < 500 ? problem({ status, code: codeOf(status), detail: error.message }) : null;
  }
  return null;
}

export const UNEXPECTED: Problem = problem({
  status: 500,
  code: 'internal_error',
  detail: 'something went wrong on the server; see its log for details',
});

function problem(parts: Omit<Problem, 'type' | 'title'>): Problem {
  return { type: 'about:blank', title: titleOf(parts.status), ...parts };
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

// 404 Not Found -> not_found
const codeOf = (status: number): string =>
  titleOf(status)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_');
