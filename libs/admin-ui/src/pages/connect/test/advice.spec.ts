import { failureOf } from './advice';

const answer = (status: number, message: Record<string, unknown> | null = null) => ({
  status,
  sessionId: null,
  message,
});

describe('failureOf', () => {
  it.each([answer(200, { result: {} }), answer(202), answer(204)])('finds nothing wrong with %j', (fine) => {
    expect(failureOf(fine)).toBeNull();
  });

  it.each([
    [401, /Check the key/],
    [403, /Set PUBLIC_URL/],
    [404, /proxy/],
    [413, /mcp\.max_body_bytes/],
    [429, /mcp\.rate_limit_per_minute/],
    [502, /proxy in front gets no answer/],
    [500, /log/],
  ])('says what to do about %d', (status, fix) => {
    expect(failureOf(answer(status))).toEqual({ problem: `HTTP ${status}`, fix: expect.stringMatching(fix) as string });
  });

  it('tells an error that came with a good status', () => {
    expect(failureOf(answer(200, { error: { code: -32602, message: 'Unknown tool' } }))?.problem).toBe(
      'HTTP 200: Unknown tool',
    );
  });
});
