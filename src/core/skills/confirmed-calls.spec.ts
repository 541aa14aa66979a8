import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  failure,
  followRun,
  type InputRequired,
  inputRequired,
  isFollowRun,
  isInputRequired,
  ProtocolFault,
  type SkillContext,
  type SkillOptions,
  type SkillOutput,
  text,
} from '#skill-kit';
import type { CallContext, CallOutput } from './skill-call.js';
import { ALICE, callContext, type SkillsGround, skillOf, skillsGround, skillsOn } from './testing.js';

const STEP = { runId: 'run', idempotencyKey: 'run:/do/0/deploy' };
const POLICIES = { ask: '@require_approval("Really?") permit (principal, action, resource == Tool::"deploy");' };
const DECISION = { allowed: true, policies: ['ask', 'permit-all'], approval: 'Really?' };
const input = { type: 'object', properties: { to: { type: 'string' } } };
const PROD = { to: 'prod' };
const YES = { 'policy-approval': { action: 'accept', content: {}, by: 'carol' } };
const NO = { 'policy-approval': { action: 'decline', by: 'carol' } };

function questionIn(output: CallOutput): InputRequired {
  if (!isInputRequired(output)) throw new Error(`no question: ${JSON.stringify(output)}`);
  return output;
}

describe('calls that a person must confirm', () => {
  let ground: SkillsGround;
  beforeAll(async () => void (ground = await skillsGround(POLICIES)));
  beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') }));
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** @param outputs what the skill returns, round by round */
  function newDeploy(options: Partial<SkillOptions> = {}, outputs: SkillOutput[] = []) {
    const seen: Pick<SkillContext, 'answers' | 'state'>[] = [];
    const deploy = skillOf({ name: 'deploy', input, ...options }, (_input, { answers, state }) => {
      seen.push({ answers, state });
      return outputs[seen.length - 1] ?? 'deployed';
    });
    return { ...skillsOn(ground, deploy), seen };
  }

  /** The context of a call in a run: answers state who gave them. */
  const inRun = (more: Partial<CallContext> = {}) => callContext({ step: STEP, ...more });

  it('are not made before somebody is asked, who sees the arguments', async () => {
    const { skills, sent, seen } = newDeploy();
    const asked = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    const [request] = Object.values(asked.inputRequests ?? {});
    expect(request?.params?.['message']).toBe('Really?\n\nalice calls deploy with {\n  "to": "prod"\n}');
    expect(request?.notCaller).toBe(true);
    expect(seen).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('are made when somebody agrees, whom the answer names', async () => {
    const { skills, sent, seen } = newDeploy();
    const { state } = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    const answers = { ...YES, other: 1 };
    const output = await skills.call(ALICE, 'deploy', PROD, inRun({ answers, state }));
    expect(output).toEqual({ content: [text('deployed')] });
    expect(seen).toEqual([{ answers: { other: 1 }, state: undefined }]);
    const event = { outcome: 'ok', message: null, approvedBy: 'carol', decision: DECISION };
    expect(sent).toMatchObject([['tool.called', event]]);
  });

  it('are not made by a caller that answers itself, nor where nobody can be asked', async () => {
    const { skills, sent, seen } = newDeploy();
    const { state } = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    for (const context of [callContext({ answers: YES, state, canAsk: true }), callContext()]) {
      expect(await skills.call(ALICE, 'deploy', PROD, context)).toEqual(
        failure('Not allowed: nobody can be asked here to confirm this call of deploy.'),
      );
      expect(sent.at(-1)).toMatchObject(['tool.called', { outcome: 'denied', approvedBy: null }]);
    }
    expect(seen).toEqual([]);
  });

  it('are refused when the person does not agree', async () => {
    const { skills, sent, seen } = newDeploy();
    const { state } = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    const output = await skills.call(ALICE, 'deploy', PROD, inRun({ answers: NO, state }));
    const message =
      'Not allowed: a person must confirm this call of deploy, and carol has not confirmed it. Do not repeat it ' +
      'without asking.';
    expect(output).toEqual(failure(message));
    expect(seen).toEqual([]);
    const event = { outcome: 'denied', message, approvedBy: null, decision: DECISION };
    expect(sent.at(-1)).toMatchObject(['tool.called', event]);
  });

  it.each([
    [60 * 60_000, 'ok'],
    [60 * 60_000 + 1, 'denied'],
  ])('are made only in time: after %d ms they are %s', async (waitedMs, outcome) => {
    const { skills, sent } = newDeploy();
    const { state } = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    jest.setSystemTime(Date.now() + waitedMs);
    await skills.call(ALICE, 'deploy', PROD, inRun({ answers: YES, state }));
    expect(sent.at(-1)).toMatchObject(['tool.called', { outcome }]);
  });

  it('are asked about again with other arguments, or by another client', async () => {
    const { skills, seen } = newDeploy();
    const { state } = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    const answered = inRun({ answers: YES, state });
    questionIn(await skills.call(ALICE, 'deploy', { to: 'test' }, answered));
    questionIn(await skills.call({ name: 'bob', groups: [] }, 'deploy', PROD, answered));
    expect(seen).toEqual([]);
  });

  it('stay confirmed while the skill itself asks, and gives it only its own answers and state', async () => {
    const { skills, sent, seen } = newDeploy({}, [inputRequired({ state: 'mine' })]);
    const first = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    const second = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun({ answers: YES, state: first.state })));
    expect(sent.at(-1)).toMatchObject(['tool.called', { outcome: 'ok', approvedBy: 'carol' }]);
    const answered = inRun({ answers: { day: 'monday' }, state: second.state });
    expect(await skills.call(ALICE, 'deploy', PROD, answered)).toEqual({ content: [text('deployed')] });
    expect(seen.at(-1)).toEqual({ answers: { day: 'monday' }, state: 'mine' });
    expect(sent.at(-1)).toMatchObject(['tool.called', { outcome: 'ok', approvedBy: 'carol' }]);
  });

  it('fail like others once they are confirmed, and it is known who confirmed them', async () => {
    const { skills, sent } = newDeploy({}, [failure('No room.')]);
    const { state } = questionIn(await skills.call(ALICE, 'deploy', PROD, inRun()));
    const output = await skills.call(ALICE, 'deploy', PROD, inRun({ answers: YES, state }));
    expect(output).toEqual(failure('No room.'));
    const event = { outcome: 'error', message: 'No room.', approvedBy: 'carol', decision: DECISION };
    expect(sent.at(-1)).toMatchObject(['tool.called', event]);
  });

  describe('where calls can become runs', () => {
    const RUN = followRun({ runId: 'run', message: 'It waits as run://run.' });

    it.each([
      ['can ask', {}, { canAsk: true }],
      ['goes on with its run', {}, { canAsk: true, state: { runId: 'run' } }],
      ['cannot ask', {}, { canAsk: false }],
      ['can wait for it', {}, { canAsk: true, followsTasks: true }],
      ['cannot ask, but wait', {}, { canAsk: false, followsTasks: true }],
      ['would get a run anyway', { long: true }, { canAsk: true }],
    ])('have the run ask for a caller that %s', async (_what, options, can) => {
      const { skills, sent, seen } = newDeploy(options);
      const runs: unknown[] = [];
      skills.runLongCallsBy({
        run: async (client, { name }, args, context) => {
          runs.push([client, name, args, context]);
          return RUN;
        },
      });
      const context = callContext(can);
      expect(isFollowRun(await skills.call(ALICE, 'deploy', PROD, context))).toBe(true);
      expect(runs).toEqual([[ALICE, 'deploy', PROD, context]]);
      expect(seen).toEqual([]);
      expect(sent).toEqual([]);
    });

    it.each([
      ['that is a run', {}, { step: STEP }],
      ['that is a run and calls a long skill', { long: true }, { step: STEP, followsTasks: true }],
    ])('ask through a caller %s', async (_what, options, can) => {
      const { skills, sent } = newDeploy(options);
      skills.runLongCallsBy({ run: () => Promise.reject(new Error('no run')) });
      questionIn(await skills.call(ALICE, 'deploy', PROD, callContext(can)));
      expect(sent).toEqual([]);
    });

    it('pass on what the run asks, as a question', async () => {
      const { skills, sent } = newDeploy({ long: true });
      skills.runLongCallsBy({ run: async () => inputRequired({ state: 'run' }) });
      const asked = questionIn(await skills.call(ALICE, 'deploy', PROD, callContext({ canAsk: true })));
      expect(asked.state).toBe('run');
      expect(sent).toEqual([]);
    });

    it('end as their run does, when somebody answers it at once', async () => {
      const { skills, sent } = newDeploy();
      const results: SkillOutput[] = ['deployed', failure('No room.')];
      skills.runLongCallsBy({ run: async () => results.shift() ?? RUN });
      expect(await skills.call(ALICE, 'deploy', PROD, callContext())).toEqual({ content: [text('deployed')] });
      expect(await skills.call(ALICE, 'deploy', PROD, callContext())).toEqual(failure('No room.'));
      // The run reports the call.
      expect(sent).toEqual([]);
    });

    it('fail, and are reported, when no run can be started', async () => {
      jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
      const { skills, sent } = newDeploy();
      skills.runLongCallsBy({ run: () => Promise.reject(new Error('too much input')) });
      const message = 'The tool deploy failed: too much input';
      expect(await skills.call(ALICE, 'deploy', PROD, callContext())).toEqual(failure(message));
      expect(sent).toMatchObject([['tool.called', { outcome: 'error', message, decision: DECISION }]]);
    });

    it('end with the JSON-RPC error of their run, which is reported', async () => {
      const { skills, sent } = newDeploy();
      skills.runLongCallsBy({ run: () => Promise.reject(new ProtocolFault('broken', -32011)) });
      await expect(skills.call(ALICE, 'deploy', PROD, callContext())).rejects.toMatchObject({ code: -32011 });
      expect(sent).toMatchObject([['tool.called', { outcome: 'error', message: 'broken', decision: DECISION }]]);
    });
  });

  it.each([
    ['says nothing of what it does', { annotations: {} }, true],
    ['only reads', { annotations: { readOnlyHint: true } }, false],
    ['only adds', { annotations: { destructiveHint: false } }, false],
    ['destroys', { annotations: { readOnlyHint: false, destructiveHint: true } }, true],
  ])('are those that a model of the service has decided on, of a skill that %s: %j', async (_what, options, asks) => {
    const { skills } = newDeploy({ name: 'work', ...options });
    const byModel = await skills.call(ALICE, 'work', PROD, inRun({ isDecidedByModel: true }));
    expect(isInputRequired(byModel)).toBe(asks);
    expect(isInputRequired(await skills.call(ALICE, 'work', PROD, inRun()))).toBe(false);
    if (!asks) return;
    const [request] = Object.values(questionIn(byModel).inputRequests ?? {});
    expect(request?.params?.['message']).toContain('A language model wants to call work');
  });
});
