import { hasEnded, runIdOf, runOf, textsOf } from './run';

const RUN = { id: 'r1', name: 'digest', status: 'waiting', startedAt: '2026-01-01T00:00:00Z', endedAt: null };

describe('runOf', () => {
  it('reads a run with its steps and questions', () => {
    const question = { step: '/do/1/ask', message: 'May I?', schema: { type: 'object' } };
    const steps = [{ label: 'a/b (2)', status: 'started', startedAt: RUN.startedAt }];
    expect(runOf({ structuredContent: { ...RUN, steps, waitsFor: [question] } })).toEqual({
      ...RUN,
      steps: [{ label: 'a/b (2)', status: 'started', startedAt: RUN.startedAt, endedAt: null }],
      questions: [{ ...question, notCaller: false }],
      answerToken: null,
      output: undefined,
      problem: null,
    });
  });

  it('says what went wrong', () => {
    expect(runOf({ structuredContent: { ...RUN, error: 'The feed is gone' } })?.problem).toBe('The feed is gone');
  });

  it('reads the token with which a person answers', () => {
    const _meta = { 'agent-service/answer-token': 'token' };
    expect(runOf({ structuredContent: RUN, _meta })?.answerToken).toBe('token');
  });

  it.each([
    { content: [{ type: 'text', text: '{ "id": }' }] },
    {},
    { structuredContent: [] },
    { structuredContent: { id: 1, status: 'running' } },
  ])('finds no run in %j', (result) => expect(runOf(result)).toBeNull());
});

describe('runIdOf', () => {
  it('finds the id in a link, in a text, and in the arguments', () => {
    const content = (block: object) => ({ content: [{ type: 'text', text: 'Wait.' }, block] });
    expect(runIdOf(content({ type: 'resource_link', uri: 'run://r1' }), {})).toBe('r1');
    expect(runIdOf(content({ type: 'text', text: 'Look at run://0f3a-9 for it.' }), {})).toBe('0f3a-9');
    expect(runIdOf(content({ type: 'text', text: 'Not run://100%zz.' }), {})).toBe('100');
    expect(runIdOf({}, { id: 'r2' })).toBe('r2');
    expect(runIdOf({}, {})).toBeNull();
  });
});

it('knows when a run has ended', () => {
  const run = runOf({ structuredContent: RUN });
  const ended = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled'].filter(
    (status) => run && hasEnded({ ...run, status }),
  );
  expect(ended).toEqual(['completed', 'failed', 'cancelled']);
});

it('returns the texts of a result', () => {
  expect(textsOf({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, 7] })).toEqual(['a']);
});
