import { afterMessage, started, outcomeOf, progressOf } from './trial-state';

const after = (...messages: Record<string, unknown>[]) => messages.reduce(afterMessage, started('count', { steps: 2 }));
const progress = (params: object) => ({ method: 'notifications/progress', params });

it('begins with the request', () => {
  expect(started('count', { steps: 2 })).toMatchObject({
    status: 'running',
    sent: { method: 'tools/call', params: { name: 'count', arguments: { steps: 2 } } },
  });
});

it('runs until the response', () => {
  expect(after(progress({ progress: 1 })).status).toBe('running');
  expect(after(progress({ progress: 1 }), { id: 1, result: {} }).status).toBe('finished');
});

it('shows the latest progress', () => {
  expect(progressOf(after())).toBeNull();
  expect(progressOf(after(progress({ progress: 1 }), progress({ progress: 2, total: 4, message: 'half' })))).toEqual({
    done: 2,
    total: 4,
    message: 'half',
  });
  expect(progressOf(after(progress({ progress: 1, total: 0 })))).toEqual({ done: 1, total: null, message: null });
});

describe('outcomeOf', () => {
  it('is null while the call runs', () => {
    expect(outcomeOf(after())).toBeNull();
  });

  it.each([
    [
      { result: { content: [{ type: 'text' }, 7], structuredContent: { a: 1 } } },
      { kind: 'result', content: [{ type: 'text' }], structured: { a: 1 }, isError: false },
    ],
    [{ result: { isError: true } }, { kind: 'result', content: [], structured: undefined, isError: true }],
    [{ result: { resultType: 'input_required' } }, { kind: 'question', result: { resultType: 'input_required' } }],
    [{ result: { resultType: 'task', taskId: 'abc' } }, { kind: 'run', id: 'abc' }],
    [{ error: { code: -32603, message: 'no' } }, { kind: 'error', error: { code: -32603, message: 'no' } }],
  ])('understands %j', (response, outcome) => {
    expect(outcomeOf(after({ id: 1, ...response }))).toEqual(outcome);
  });
});
