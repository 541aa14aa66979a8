import { type SkillsGround, skillOf, skillsGround, skillsOn } from './testing.js';
import { tooLargeMessage } from './skill-catalogue.service.js';

describe('ToolLimitsService', () => {
  let ground: SkillsGround;
  beforeAll(async () => {
    ground = await skillsGround();
    await ground.settings.set('mcp.tool_timeout_ms', 2_000);
    await ground.settings.set('mcp.max_result_bytes', 70_000);
    await ground.settings.set('policy.approval_timeout_minutes', 5);
  });

  const newLimits = () => skillsOn(ground, skillOf({ name: 'work' }), skillOf({ name: 'other' }));
  const own = 'the limit of the tool work on its page under Skills';

  it('says that a tool has the limits of every tool, and in which settings they are', () => {
    const { limits } = newLimits();
    expect(limits.timeoutOf('work')).toEqual({ value: 2_000, source: 'the setting mcp.tool_timeout_ms' });
    expect(limits.resultOf('work')).toEqual({ value: 70_000, source: 'the setting mcp.max_result_bytes' });
    expect(limits.ownResultOf('work')).toBeNull();
    expect(limits.timeoutOf('gone')).toEqual(limits.timeoutOf('work'));
  });

  it('says that a tool has a time limit of its own', async () => {
    const { limits, catalogue } = newLimits();
    await catalogue.update('work', { timeoutMs: 1_500 });
    expect(limits.timeoutOf('work')).toEqual({ value: 1_500, source: own });
    expect(limits.resultOf('work').value).toBe(70_000);
    expect(limits.timeoutOf('other').value).toBe(2_000);
  });

  it('says that a tool has a limit of its own for the size of results', async () => {
    const { limits, catalogue } = newLimits();
    await catalogue.update('work', { maxResultBytes: 1_024 });
    expect(limits.resultOf('work')).toEqual({ value: 1_024, source: own });
    expect(limits.ownResultOf('work')).toBe(1_024);
    expect(limits.timeoutOf('work').value).toBe(2_000);
    expect(limits.resultOf('other').value).toBe(70_000);
    expect(limits.ownResultOf('other')).toBeNull();
  });

  it('says how long a call waits for a person', () => {
    expect(newLimits().limits.approvalMinutes()).toBe(5);
  });
});

describe('the message to a caller whose result is too large', () => {
  it('states the size and the limit, and what to do', () => {
    expect(tooLargeMessage(1_025, { value: 1_024, source: 'the limit of the page' })).toBe(
      'The result is too large: 1025 bytes of JSON, the limit is 1024. Ask for less at once, or have the ' +
        'administrator raise the limit of the page.',
    );
  });
});
