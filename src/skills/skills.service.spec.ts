import { jest } from '@jest/globals';
import {
  failure,
  followRun,
  isFollowRun,
  ProtocolFault,
  Skill,
  type SkillContext,
  type SkillHandler,
} from '#skill-kit';
import { settingsOn } from '../config/testing.js';
import { memoryDatabase } from '../database/testing.js';
import { recordedEvents } from '../events/testing.js';
import { policyService } from '../policy/testing.js';
import { SkillCatalogue } from './skill-catalogue.service.js';
import { SkillStateStore } from './skill-state.store.js';
import { SkillRegistry } from './skill.registry.js';
import { TasksRequired } from './skills.errors.js';
import { type CallContext, SkillsService } from './skills.service.js';
import { ToolLimitsService } from './tool-limits.service.js';

const ALICE = { name: 'alice', groups: [] };
const annotations = { readOnlyHint: true };
const STEP = { runId: 'run', idempotencyKey: 'run:/do/0/work' };

const context = (more: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  answers: {},
  state: undefined,
  canAsk: false,
  followsTasks: false,
  step: null,
  progress: () => {},
  log: () => {},
  releaseConnection: () => {},
  ...more,
});

@Skill({ name: 'work', description: 'Works for long.', annotations, long: true })
class Work implements SkillHandler {
  finish = () => {};

  async execute(_input: object, { step, signal }: SkillContext) {
    await new Promise<void>((resolve) => (this.finish = resolve));
    return `worked in ${step?.runId}, ${signal.aborted ? 'stopped' : 'undisturbed'}`;
  }
}

@Skill({ name: 'work_only_as_task', description: 'Works for very long.', annotations, long: 'required' })
class WorkOnlyAsTask implements SkillHandler {
  execute() {
    return failure('is never executed here');
  }
}

@Skill({ name: 'break', description: 'Ends its call with a JSON-RPC error.', annotations })
class Break implements SkillHandler {
  execute(): string {
    throw new ProtocolFault('the protocol is broken', -32011);
  }
}

describe('SkillsService', () => {
  afterEach(() => void jest.useRealTimers());

  async function newService() {
    const { events, sent } = recordedEvents();
    const registry = new SkillRegistry(events);
    const database = await memoryDatabase();
    const catalogue = new SkillCatalogue(registry, new SkillStateStore(database), events);
    await catalogue.onModuleInit();
    const settings = await settingsOn();
    const limits = new ToolLimitsService(catalogue, settings);
    const skills = new SkillsService(registry, catalogue, await policyService(), limits, events);
    const work = new Work();
    registry.register(work, new WorkOnlyAsTask(), new Break());
    return { skills, work, sent };
  }

  it('makes the call of a long skill a run, and passes on what it goes on as', async () => {
    const { skills, sent } = await newService();
    const calls: unknown[] = [];
    skills.runLongCallsBy({
      run: async (client, { name }, args) => {
        calls.push([client.name, name, args]);
        return followRun({ runId: 'run', message: 'It goes on as run://run.' });
      },
    });
    const output = await skills.call(ALICE, 'work', {}, context());
    expect(isFollowRun(output) && output.runId).toBe('run');
    expect(calls).toEqual([['alice', 'work', {}]]);
    expect(sent.at(-1)).toMatchObject(['tool.called', { tool: 'work', outcome: 'ok', message: null }]);
  });

  it('executes a long skill in the step of a run, without a time limit', async () => {
    const { skills, work } = await newService();
    skills.runLongCallsBy({ run: () => Promise.reject(new Error('no run within a run')) });
    jest.useFakeTimers();
    const call = skills.call(ALICE, 'work', {}, context({ step: STEP }));
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    work.finish();
    expect(await call).toEqual({ content: [{ type: 'text', text: 'worked in run, undisturbed' }] });
  });

  it('refuses a skill that takes tasks to a client without them', async () => {
    const { skills } = await newService();
    skills.runLongCallsBy({ run: async () => followRun({ runId: 'run', message: 'It goes on.' }) });
    await expect(skills.call(ALICE, 'work_only_as_task', {}, context())).rejects.toThrow(TasksRequired);
    const output = await skills.call(ALICE, 'work_only_as_task', {}, context({ followsTasks: true }));
    expect(isFollowRun(output)).toBe(true);
  });

  it('passes on a JSON-RPC error that a skill ends its call with, and reports it', async () => {
    const { skills, sent } = await newService();
    await expect(skills.call(ALICE, 'break', {}, context())).rejects.toMatchObject({ code: -32011 });
    const message = 'the protocol is broken';
    expect(sent.at(-1)).toMatchObject(['tool.called', { tool: 'break', outcome: 'error', message }]);
  });
});
