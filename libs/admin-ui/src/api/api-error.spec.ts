import { ApiError, fieldErrors, isLoggedOut, toApiError, toUnreachable } from './api-error';

const problem = (body: object, init: ResponseInit = {}) => new Response(JSON.stringify(body), { status: 400, ...init });

describe('toApiError', () => {
  it('carries what the problem document says', async () => {
    const errors = [{ path: 'value', message: 'must be a number' }];
    const error = await toApiError(problem({ detail: 'value is wrong', code: 'config.invalid_value', errors }));
    expect(error).toMatchObject({
      message: 'value is wrong',
      status: 400,
      code: 'config.invalid_value',
      fields: errors,
      retryAfterSeconds: null,
    });
  });

  it('knows how long to wait', async () => {
    const response = problem({ detail: 'slow down', code: 'x' }, { status: 429, headers: { 'Retry-After': '7' } });
    expect(await toApiError(response)).toMatchObject({ status: 429, retryAfterSeconds: 7 });
  });

  it.each(['<html>', '[]', '{}', ''])('makes do with %j', async (body) => {
    const error = await toApiError(new Response(body, { status: 502, statusText: 'Bad Gateway' }));
    expect(error.message).toMatch(/^The answer was 502 Bad Gateway/);
  });
});

it('toUnreachable explains a failed connection and an unreadable answer, and leaves other errors alone', () => {
  expect(toUnreachable(new TypeError('Failed to fetch'))).toMatchObject({ status: 0, code: 'unreachable' });
  expect(toUnreachable(new SyntaxError('Unexpected token'))).toMatchObject({ status: 0, code: 'unreadable' });
  const other = new Error('x');
  expect(toUnreachable(other)).toBe(other);
});

it('isLoggedOut tells an ended session from a wrong password', () => {
  const unauthorized = (code: string) => new ApiError('', { status: 401, code });
  expect(isLoggedOut(unauthorized('admin.not_authenticated'))).toBe(true);
  expect(isLoggedOut(unauthorized('admin.wrong_password'))).toBe(false);
});

it('fieldErrors says what is wrong with each field, if anything', () => {
  const fields = [{ path: 'name', message: 'is taken' }];
  expect([...fieldErrors(new ApiError('', { status: 409, code: 'x', fields }))]).toEqual([['name', 'is taken']]);
  expect([...fieldErrors(new Error('x')), ...fieldErrors(null)]).toEqual([]);
});
