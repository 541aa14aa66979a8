import {
  BadRequestException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import { AppError, type ErrorKind } from '../../../platform/errors/app-error.js';
import { problemOf, statusOf } from './problem.rules.js';

class Broken extends AppError {}

describe('statusOf', () => {
  it.each<[ErrorKind, number]>([
    ['invalid', 400],
    ['unauthorized', 401],
    ['denied', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['outdated', 412],
    ['rate_limited', 429],
    ['unavailable', 503],
  ])('%s is %i', (kind, status) => {
    expect(statusOf(kind)).toBe(status);
  });
});

describe('problemOf', () => {
  it('returns code, detail and fields of an expected failure', () => {
    const error = new Broken('invalid', 'thing.broken', 'it is broken', { fields: [{ path: 'a', message: 'b' }] });
    expect(problemOf(error)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'it is broken',
      code: 'thing.broken',
      errors: [{ path: 'a', message: 'b' }],
    });
  });

  it.each([
    [new NotFoundException('Cannot GET /x'), { status: 404, code: 'not_found', detail: 'Cannot GET /x' }],
    [new BadRequestException('no'), { status: 400, code: 'bad_request', title: 'Bad Request' }],
    [new PayloadTooLargeException('no'), { status: 413, code: 'payload_too_large' }],
  ])('describes %j', (error, problem) => {
    expect(problemOf(error)).toMatchObject(problem);
  });

  it.each([new Error('x'), new InternalServerErrorException(), null, 'x'])('keeps a bug to itself: %p', (error) => {
    expect(problemOf(error)).toBeNull();
  });
});
