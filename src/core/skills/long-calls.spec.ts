import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { failure, followRun, isFollowRun, type SkillOptions, text } from '#skill-kit';
import { TasksRequired } from './skills.errors.js';
import type { LongCalls } from './skill-call.js';
import { ALICE, callContext, type SkillsGround, skillOf, skillsGround, skillsOn } from './testing.js';

const STEP = { runId: 'run', idempotencyKey: 'run:/do/0/work' };
const NO_RUNS: LongCalls = { run: () => Promise.reject(new Error('no run within a run')) };

function recordedRuns() {
  const calls: unknown[] = [];
  const runs: LongCalls = {
    run: async (...[client, { name }, args, context]) => {
      calls.push([client.name, name, args, context]);
      return followRun({ runId: 'run', message: 'It continues as run://run.' });
    },
  };
  return { calls, runs };
}

describe('long calls', () => {
  let ground: SkillsGround;
  beforeAll(async () => {
    ground = await skillsGround({ no_secrets: 'forbid (principal, action, resource == Tool::"secrets");' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('become runs, and end with a reference to the run', async () => {
    const { skills, sent } = skillsOn(ground, skillOf({ name: 'work', long: true }));
    const { calls, runs } = recordedRuns();
    skills.runLongCallsBy(runs);
    const context = callContext();
    const output = await skills.call(ALICE, 'work', {}, context);
    expect(isFollowRun(output) && output.runId).toBe('run');
    expect(calls).toEqual([['alice', 'work', {}, context]]);
    expect(sent.at(-1)).toMatchObject(['tool.called', { tool: 'work', outcome: 'ok', message: null }]);
  });

  it('are only those of long skills', async () => {
    const { skills } = skillsOn(ground, skillOf({ name: 'work' }));
    skills.runLongCallsBy(NO_RUNS);
    expect(await skills.call(ALICE, 'work', {}, callContext())).toEqual({ content: [text('done')] });
  });

  it('fail when their run does', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const { skills, sent } = skillsOn(ground, skillOf({ name: 'work', long: true }));
    skills.runLongCallsBy({ run: () => Promise.reject(new Error('too many runs')) });
    const message = 'The tool work failed: too many runs';
    expect(await skills.call(ALICE, 'work', {}, callContext())).toEqual(failure(message));
    expect(sent).toMatchObject([['tool.called', { outcome: 'error', message }]]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('are cancelled as others are, while their caller waits for the run', async () => {
    const { skills, sent } = skillsOn(ground, skillOf({ name: 'work', long: true }));
    skills.runLongCallsBy({
      run: async (_client, _skill, _args, { signal }) => Promise.reject(signal.reason as Error),
    });
    const message = 'The call of work was cancelled.';
    const context = callContext({ signal: AbortSignal.abort('the caller has gone') });
    expect(await skills.call(ALICE, 'work', {}, context)).toEqual(failure(message));
    expect(sent).toMatchObject([['tool.called', { outcome: 'cancelled', message }]]);
  });

  it('fail when their run does, also after their caller has gone', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const { skills, sent } = skillsOn(ground, skillOf({ name: 'work', long: true }));
    skills.runLongCallsBy({ run: () => Promise.reject(new Error('too many runs')) });
    await skills.call(ALICE, 'work', {}, callContext({ signal: AbortSignal.abort() }));
    expect(sent).toMatchObject([['tool.called', { outcome: 'error' }]]);
  });

  it('are refused to a client without tasks when the skill requires them', async () => {
    const { skills, sent } = skillsOn(ground, skillOf({ name: 'work', long: 'required' }));
    skills.runLongCallsBy(recordedRuns().runs);
    await expect(skills.call(ALICE, 'work', {}, callContext())).rejects.toThrow(TasksRequired);
    const decision = { allowed: true, policies: ['permit-all'] };
    const message = expect.stringContaining('The tool work takes longer than a call can wait.') as unknown;
    expect(sent).toMatchObject([['tool.called', { outcome: 'invalid', decision, message }]]);
    const output = await skills.call(ALICE, 'work', {}, callContext({ followsTasks: true }));
    expect(isFollowRun(output)).toBe(true);
    const inStep = await skills.call(ALICE, 'work', {}, callContext({ step: STEP }));
    expect(inStep).toEqual({ content: [text('done')] });
  });

  it('do not learn that tasks are required when policy forbids the tool', async () => {
    const { skills } = skillsOn(ground, skillOf({ name: 'secrets', long: 'required' }));
    expect(await skills.call(ALICE, 'secrets', {}, callContext())).toMatchObject({ isError: true });
  });

  const newWork = (options: Partial<SkillOptions>) => {
    let finish = () => {};
    const work = skillOf({ name: 'work', ...options }, async (_input, { signal }) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return signal.aborted ? 'stopped' : 'undisturbed';
    });
    return { ...skillsOn(ground, work), finish: () => finish() };
  };
  const timeoutMessage = (limitMs: number, source: string) =>
    `The tool work did not finish within ${limitMs} ms and was stopped. Ask for less at once, or have the ` +
    `administrator raise ${source}.`;

  it.each([
    ['of a long skill', { long: true }],
    ['of a skill that requires tasks', { long: 'required' }],
    ['of a skill that starts a run', { startsRun: true }],
  ] as const)('have no time limit in the step of a run: %s', async (_what, options) => {
    const { skills, finish } = newWork(options);
    skills.runLongCallsBy(NO_RUNS);
    jest.useFakeTimers();
    const call = skills.call(ALICE, 'work', {}, callContext({ step: STEP }));
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    finish();
    expect(await call).toEqual({ content: [text('undisturbed')] });
  });

  it.each([
    ['a short call', {}, null, true],
    ['a short call in the step of a run', {}, STEP, true],
    ['a call of a skill that starts a run, outside a run', { startsRun: true }, null, true],
    ['a call of a long skill, where there are no runs', { long: true }, null, false],
    ['such a call in a step', { long: true }, STEP, false],
  ] as const)('are the only ones without a time limit: %s has one', async (_what, options, step, hasRuns) => {
    const { skills, sent } = newWork(options);
    if (hasRuns) skills.runLongCallsBy(NO_RUNS);
    jest.useFakeTimers();
    const call = skills.call(ALICE, 'work', {}, callContext({ step }));
    await jest.advanceTimersByTimeAsync(29_999);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    const message = timeoutMessage(30_000, 'the setting mcp.tool_timeout_ms');
    expect(sent).toMatchObject([['tool.called', { outcome: 'timeout', message, durationMs: 30_000 }]]);
    expect(await call).toEqual(failure(message));
  });

  it('are not needed for a tool that may take longer than others', async () => {
    const { skills, sent, catalogue } = newWork({});
    await catalogue.update('work', { timeoutMs: 50_000 });
    sent.length = 0;
    jest.useFakeTimers();
    const call = skills.call(ALICE, 'work', {}, callContext());
    await jest.advanceTimersByTimeAsync(49_999);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    const message = timeoutMessage(50_000, 'the limit of the tool work on its page under Skills');
    expect(sent).toMatchObject([['tool.called', { outcome: 'timeout', message }]]);
    expect(await call).toEqual(failure(message));
  });
});
