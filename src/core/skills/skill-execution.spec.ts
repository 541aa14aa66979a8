import { jest } from '@jest/globals';
import {
  defineSkill,
  elicit,
  image,
  inputRequired,
  type JsonObject,
  Skill,
  type SkillContext,
  type SkillOutput,
  text,
} from '#skill-kit';
import { ExecutionStopped, executeWithin, toSkillResult } from './skill-execution.js';

type Execute = (input: object, context: SkillContext) => SkillOutput | Promise<SkillOutput>;

function skillOf(execute: Execute, output?: JsonObject) {
  @Skill({ name: 'work', description: 'Works.', ...(output && { output }) })
  class Handler {
    execute(input: object, context: SkillContext) {
      return execute(input, context);
    }
  }
  return defineSkill(new Handler());
}

const CONTEXT: Omit<SkillContext, 'signal'> = {
  client: { name: 'alice', groups: [] },
  answers: { day: 'monday' },
  state: 'second round',
  canAsk: true,
  followsTasks: false,
  step: null,
  progress: () => {},
  log: () => {},
  releaseConnection: () => {},
};

/** A skill that ends when a test says so. */
function openWork() {
  let signal = new AbortController().signal;
  let finish: (output: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const skill = skillOf((_input, context) => {
    signal = context.signal;
    return new Promise<string>((resolve, reject) => ([finish, fail] = [resolve, reject]));
  });
  return {
    skill,
    finish: (output: string) => finish(output),
    fail: (error: Error) => fail(error),
    signal: () => signal,
  };
}

describe('executeWithin', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const { signal: never } = new AbortController();

  it.each([
    ['asks its caller', inputRequired({ inputRequests: { one: elicit('Well?', {}) } }), true],
    ['is done', 'done', false],
  ])('tells a skill that %s of a later cancellation of the call only if it asks', async (_, output, isAborted) => {
    const caller = new AbortController();
    let own = caller.signal;
    const skill = skillOf((_input, { signal }) => {
      own = signal;
      return Promise.resolve(output);
    });
    expect(await executeWithin(1_000, caller.signal, skill, {}, CONTEXT)).toBe(output);
    jest.advanceTimersByTime(2_000);
    caller.abort();
    expect(own.aborted).toBe(isAborted);
  });

  it('passes to the skill its input and the context of the call', async () => {
    const seen: unknown[] = [];
    const skill = skillOf((input, { signal, ...context }) => {
      seen.push(input, context, signal.aborted);
      return 'done';
    });
    expect(await executeWithin(1_000, never, skill, { days: 3 }, CONTEXT)).toBe('done');
    expect(seen).toEqual([{ days: 3 }, CONTEXT, false]);
  });

  it('needs no timer for a skill that returns its output at once', async () => {
    const skill = skillOf(() => 'done');
    const output = executeWithin(1_000, never, skill, {}, CONTEXT);
    expect(jest.getTimerCount()).toBe(0);
    expect(await output).toBe('done');
  });

  it('passes on what a skill throws, now or later', async () => {
    const throwing = skillOf(() => {
      throw new TypeError('broken');
    });
    await expect(executeWithin(1_000, never, throwing, {}, CONTEXT)).rejects.toThrow(new TypeError('broken'));
    const work = openWork();
    const output = executeWithin(1_000, never, work.skill, {}, CONTEXT);
    work.fail(new RangeError('too far'));
    await expect(output).rejects.toThrow(new RangeError('too far'));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('returns what a skill returns just before the limit, and stops the clock', async () => {
    const work = openWork();
    const output = executeWithin(1_000, never, work.skill, {}, CONTEXT);
    await jest.advanceTimersByTimeAsync(999);
    work.finish('just in time');
    expect(await output).toBe('just in time');
    expect(jest.getTimerCount()).toBe(0);
    expect(work.signal().aborted).toBe(false);
  });

  it('aborts a skill at the limit, with the reason', async () => {
    const work = openWork();
    const output = executeWithin(1_000, never, work.skill, {}, CONTEXT);
    const stopped = expect(output).rejects.toThrow(new ExecutionStopped('timeout'));
    await jest.advanceTimersByTimeAsync(1_000);
    await stopped;
    await expect(output).rejects.toMatchObject({ outcome: 'timeout', message: 'The time limit was reached' });
    expect(work.signal().aborted).toBe(true);
    expect(work.signal().reason).toMatchObject({ outcome: 'timeout' });
  });

  it('lets a skill without a limit take as long as it takes', async () => {
    const work = openWork();
    const output = executeWithin(null, never, work.skill, {}, CONTEXT);
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    work.finish('at last');
    expect(await output).toBe('at last');
  });

  it.each([1_000, null])('stops a skill when its call is cancelled, with the limit %p', async (limitMs) => {
    const outer = new AbortController();
    const work = openWork();
    const output = executeWithin(limitMs, outer.signal, work.skill, {}, CONTEXT);
    expect(work.signal().aborted).toBe(false);
    outer.abort();
    await expect(output).rejects.toThrow(ExecutionStopped);
    await expect(output).rejects.toMatchObject({ outcome: 'cancelled', message: 'The call was cancelled' });
    expect(work.signal().reason).toMatchObject({ outcome: 'cancelled' });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('stops a skill whose call was cancelled before', async () => {
    const work = openWork();
    const output = executeWithin(null, AbortSignal.abort(), work.skill, {}, CONTEXT);
    await expect(output).rejects.toMatchObject({ outcome: 'cancelled' });
    expect(work.signal().aborted).toBe(true);
  });

  it.each(['finish', 'fail'] as const)('ignores it when an aborted skill continues to %s', async (how) => {
    const work = openWork();
    const output = executeWithin(1_000, AbortSignal.abort(), work.skill, {}, CONTEXT);
    await expect(output).rejects.toMatchObject({ outcome: 'cancelled' });
    if (how === 'finish') work.finish('too late');
    else work.fail(new Error('too late'));
    await jest.advanceTimersByTimeAsync(0);
    await expect(output).rejects.toMatchObject({ outcome: 'cancelled' });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not disturb a skill that is over', async () => {
    const outer = new AbortController();
    const work = openWork();
    const output = executeWithin(1_000, outer.signal, work.skill, {}, CONTEXT);
    work.finish('done');
    await output;
    outer.abort();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(work.signal().aborted).toBe(false);
  });
});

describe('toSkillResult', () => {
  it('makes a text of a text', () => {
    expect(toSkillResult('sunny')).toEqual({ content: [text('sunny')] });
  });

  it('repeats an object as text, for those who read only that', () => {
    const output = { count: 1, unit: 'day' };
    const result = toSkillResult(output);
    expect(result).toEqual({ content: [text('{"count":1,"unit":"day"}')], structuredContent: output });
    expect(result.structuredContent).not.toBe(output);
  });

  it('treats an object as data if its content is not a list', () => {
    const output = { content: 'of a page' };
    expect(toSkillResult(output)).toEqual({
      content: [text('{"content":"of a page"}')],
      structuredContent: output,
    });
  });

  it.each([
    { content: [text('one day')], structuredContent: { count: 1, unit: 'day' } },
    { content: [image('aGk=', 'image/png')], structuredContent: { count: 1, unit: 'day' } },
  ])('returns a result with content unchanged', (output) => {
    expect(toSkillResult(output)).toBe(output);
  });

  it('returns an empty result unchanged', () => {
    const output = { content: [] };
    expect(toSkillResult(output)).toBe(output);
  });

  it('adds the text that a result lacks, and keeps the rest', () => {
    const output = { content: [], structuredContent: { count: 1 }, isError: true };
    expect(toSkillResult(output)).toEqual({ ...output, content: [text('{"count":1}')] });
  });
});
