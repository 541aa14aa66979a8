import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IsInt, IsOptional } from 'class-validator';
import { failure, image, inputRequired, isInputRequired, ProtocolFault, result, text } from '#skill-kit';
import { NOT_ASKED } from '../../access/policy/policy.service.js';
import { SkillDenied, SkillNotFound } from './skills.errors.js';
import { PERMITTED } from '../../access/policy/testing.js';
import { ALICE, BOB, callContext, type SkillsGround, skillOf, skillsGround, skillsOn } from './testing.js';

class Payment {
  @IsInt() @IsOptional() amount: number = 200;
}

const POLICIES = {
  no_secrets: 'forbid (principal == Client::"alice", action, resource == Tool::"secrets");',
  no_workflows: 'forbid (principal == Client::"bob", action, resource is Tool) when { resource.kind == "workflow" };',
  little:
    'forbid (principal, action == Action::"callTool", resource == Tool::"pay") when { context.args.amount > 100 };',
};
const NOT_ALLOWED = 'Not allowed: policy no_secrets forbids this call of secrets. Ask the administrator.';

describe('SkillsService', () => {
  let ground: SkillsGround;
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeAll(async () => void (ground = await skillsGround(POLICIES)));
  beforeEach(() => void (warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined)));
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const secrets = skillOf({ name: 'secrets' }, () => 'swordfish');
  const pay = skillOf({ name: 'pay', input: Payment }, (input) => `paid ${JSON.stringify(input)}`);

  describe('before a call', () => {
    const newSkills = () => skillsOn(ground, skillOf({ name: 'work' }), secrets, pay, skillOf({ name: 'idle' }));

    it('lists the enabled skills that policy lets a client call', async () => {
      const { skills, catalogue } = newSkills();
      await catalogue.update('idle', { enabled: false });
      const names = (client = ALICE) => skills.list(client).map(({ name }) => name);
      expect(names(ALICE)).toEqual(['pay', 'work']);
      expect(names(BOB)).toEqual(['pay', 'secrets', 'work']);
    });

    it('refuses to show a skill that policy forbids, and says which policy', () => {
      const { skills } = newSkills();
      expect(() => skills.assertVisible(ALICE, 'secrets')).toThrow(SkillDenied);
      expect(() => skills.assertVisible(ALICE, 'secrets')).toThrow('policy no_secrets forbids the tool secrets.');
      expect(() => skills.assertVisible(BOB, 'secrets')).not.toThrow();
      expect(() => skills.assertVisible(ALICE, 'pay')).not.toThrow();
    });

    it('judges a name of no skill as that of a workflow', () => {
      const { skills } = newSkills();
      expect(() => skills.assertVisible(BOB, 'gone')).toThrow('policy no_workflows forbids the tool gone.');
      expect(() => skills.assertVisible(ALICE, 'gone')).not.toThrow();
      expect(skills.denialOf(BOB, { name: 'gone', tags: [] }, {})).toContain(
        'policy no_workflows forbids this call of gone.',
      );
      expect(skills.denialOf(ALICE, { name: 'gone', tags: [] }, {})).toBeNull();
    });

    it('says why a client may not call a skill with some arguments', () => {
      const { skills } = newSkills();
      expect(skills.denialOf(ALICE, { name: 'secrets', tags: [] }, {})).toBe(NOT_ALLOWED);
      expect(skills.denialOf(BOB, { name: 'secrets', tags: [] }, {})).toBeNull();
      expect(skills.denialOf(ALICE, { name: 'pay', tags: [] }, { amount: 101 })).toContain(
        'policy little forbids this call of pay.',
      );
      expect(skills.denialOf(ALICE, { name: 'pay', tags: [] }, { amount: 100 })).toBeNull();
    });

    it('knows which names can be called: those of enabled skills', async () => {
      const { skills, catalogue } = newSkills();
      await catalogue.update('idle', { enabled: false });
      expect(() => skills.assertCallable('work')).not.toThrow();
      expect(() => skills.assertCallable('idle')).toThrow(SkillNotFound);
      expect(() => skills.assertCallable('gone')).toThrow('Unknown tool: gone.');
    });

    it('knows whether a client may call other skills since the policies changed', async () => {
      const { skills } = newSkills();
      const { policy } = await skillsGround({
        earlier: 'forbid (principal == Client::"alice", action, resource == Tool::"work") when { context.hour == 24 };',
      });
      policy.clockTurned({ hour: 24, weekday: 'monday' }, {});
      const under = (...names: string[]) =>
        skillsOn({ ...ground, policy }, ...names.map((name) => skillOf({ name }))).skills;
      expect(under('idle', 'work').hasOtherList(ALICE)).toBe(true);
      expect(under('idle', 'work').hasOtherList(BOB)).toBe(false);
      expect(under('idle').hasOtherList(ALICE)).toBe(false);
      expect(under().hasOtherList(ALICE)).toBe(false);
      expect(skills.hasOtherList(ALICE)).toBe(true); // nothing was known before
    });
  });

  describe('in a call', () => {
    it('gives the skill its input and the caller, and returns and reports the result', async () => {
      jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
      const seen: unknown[] = [];
      const work = skillOf({ name: 'pay', input: Payment }, async (input, { client, canAsk }) => {
        seen.push(input, client, canAsk);
        await new Promise((resolve) => setTimeout(resolve, 250));
        return 'paid';
      });
      const { skills, sent, registry } = skillsOn(ground, work);
      await jest.advanceTimersByTimeAsync(1_000);
      const call = skills.call(ALICE, 'pay', { amount: 5 }, callContext({ canAsk: true }));
      expect(sent).toEqual([]);
      await jest.advanceTimersByTimeAsync(250);
      expect(await call).toEqual({ content: [text('paid')] });
      expect(seen).toEqual([{ amount: 5 }, ALICE, true]);
      const event = {
        tool: 'pay',
        client: ALICE,
        arguments: { amount: 5 },
        inputSchema: registry.find('pay')?.inputSchema,
        decision: PERMITTED,
        approvedBy: null,
        outcome: 'ok',
        resource: null,
        durationMs: 250,
        message: null,
        at: new Date('2026-01-01T00:00:01.250Z'),
      };
      expect(sent).toEqual([['tool.called', event]]);
    });

    it.each([
      ['is not there', 'gone'],
      ['is disabled, and policy hides it', 'secrets'],
    ])('does not know a skill that %s', async (_why, name) => {
      const { skills, sent, catalogue } = skillsOn(ground, skillOf({ name: 'secrets' }));
      await catalogue.update('secrets', { enabled: false });
      sent.length = 0;
      await expect(skills.call(ALICE, name, { a: 1 }, callContext())).rejects.toThrow(SkillNotFound);
      const message = `Unknown tool: ${name}. It may have been renamed or removed: use one of the tools that are offered now.`;
      const more = { arguments: { a: 1 }, inputSchema: null, decision: NOT_ASKED, approvedBy: null };
      expect(sent).toMatchObject([['tool.called', { tool: name, outcome: 'unknown', message, ...more }]]);
    });

    it('answers the call of a disabled skill with a result that says so, and does not execute it', async () => {
      let executed = 0;
      const idle = skillOf({ name: 'idle' }, () => String((executed += 1)));
      const { skills, sent, catalogue } = skillsOn(ground, idle);
      await catalogue.update('idle', { enabled: false });
      sent.length = 0;
      const output = await skills.call(ALICE, 'idle', {}, callContext());
      expect(output).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('idle is disabled') as string }],
      });
      expect([executed, sent]).toMatchObject([0, [['tool.called', { tool: 'idle', outcome: 'unknown' }]]]);
    });

    it('refuses what policy forbids, and does not execute it', async () => {
      let executed = 0;
      const counted = skillOf({ name: 'secrets' }, () => String((executed += 1)));
      const { skills, sent } = skillsOn(ground, counted);
      expect(await skills.call(ALICE, 'secrets', {}, callContext())).toEqual(failure(NOT_ALLOWED));
      expect(executed).toBe(0);
      const decision = { allowed: false, reason: 'forbidden', policies: ['no_secrets'] };
      expect(sent).toMatchObject([['tool.called', { outcome: 'denied', message: NOT_ALLOWED, decision }]]);
    });

    it('has policy judge the arguments with their defaults, and records those that were sent', async () => {
      const { skills, sent } = skillsOn(ground, pay);
      const message = 'Not allowed: policy little forbids this call of pay. Ask the administrator.';
      expect(await skills.call(ALICE, 'pay', {}, callContext())).toEqual(failure(message));
      expect(await skills.call(ALICE, 'pay', { amount: 1 }, callContext())).toEqual({
        content: [text('paid {"amount":1}')],
      });
      const [denied, ok] = sent;
      expect(denied).toMatchObject(['tool.called', { outcome: 'denied', arguments: {} }]);
      expect(ok).toMatchObject(['tool.called', { outcome: 'ok', arguments: { amount: 1 } }]);
    });

    it('says what is wrong with arguments, to those who may call the skill with others', async () => {
      const { skills, sent } = skillsOn(ground, pay);
      const message =
        'The arguments do not fit the input schema of pay:\n- unknown property "to" (known: amount)\n' +
        '- amount: must be integer\nCorrect them and call again.';
      const args = { amount: 'all', to: 'me' };
      expect(await skills.call(ALICE, 'pay', args, callContext())).toEqual(failure(message));
      expect(sent).toMatchObject([['tool.called', { outcome: 'invalid', message, arguments: args }]]);
      expect(sent).toMatchObject([['tool.called', { decision: NOT_ASKED }]]);
    });

    it('says nothing about the arguments of a skill to those who may not call it', async () => {
      const { skills, sent } = skillsOn(ground, secrets);
      expect(await skills.call(ALICE, 'secrets', { to: 'me' }, callContext())).toEqual(failure(NOT_ALLOWED));
      const decision = { policies: ['no_secrets'] };
      expect(sent).toMatchObject([['tool.called', { outcome: 'denied', message: NOT_ALLOWED, decision }]]);
      expect(await skills.call(BOB, 'secrets', { to: 'me' }, callContext())).toMatchObject({
        content: [{ text: expect.stringContaining('do not fit') as unknown }],
      });
    });

    it.each([
      [new Error('it is broken'), 'it is broken'],
      ['just a text', 'just a text'],
    ])('makes a failure of what a skill throws: %p', async (thrown, shown) => {
      const breaking = skillOf({ name: 'break' }, () => {
        AbortSignal.abort(thrown).throwIfAborted();
        return 'never';
      });
      const { skills, sent } = skillsOn(ground, breaking);
      const message = `The tool break failed: ${shown}`;
      expect(await skills.call(ALICE, 'break', {}, callContext())).toEqual(failure(message));
      expect(sent).toMatchObject([['tool.called', { outcome: 'error', message, decision: PERMITTED }]]);
      expect(warn.mock.calls).toEqual([[{ err: thrown, tool: 'break' }, 'A skill threw']]);
    });

    it('does not report as a fault of the service what a skill refuses', async () => {
      const refusing = skillOf({ name: 'refuse' }, () => {
        throw new SkillNotFound('other');
      });
      const { skills, sent } = skillsOn(ground, refusing);
      const output = await skills.call(ALICE, 'refuse', {}, callContext());
      expect(output).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Unknown tool: other') as string }],
      });
      expect([sent, warn.mock.calls]).toMatchObject([[['tool.called', { outcome: 'error' }]], []]);
    });

    it('passes on a JSON-RPC error that a skill ends its call with, and reports it', async () => {
      const breaking = skillOf({ name: 'break' }, () => {
        throw new ProtocolFault('the protocol is broken', -32011);
      });
      const { skills, sent } = skillsOn(ground, breaking);
      await expect(skills.call(ALICE, 'break', {}, callContext())).rejects.toMatchObject({ code: -32011 });
      const message = 'the protocol is broken';
      expect(sent).toMatchObject([['tool.called', { tool: 'break', outcome: 'error', message }]]);
      expect(warn).not.toHaveBeenCalled();
    });

    it('ends with the call, and says so', async () => {
      const { skills, sent } = skillsOn(
        ground,
        skillOf({ name: 'wait' }, () => new Promise<string>(() => {})),
      );
      const message = 'The call of wait was cancelled.';
      const context = callContext({ signal: AbortSignal.abort() });
      expect(await skills.call(ALICE, 'wait', {}, context)).toEqual(failure(message));
      expect(sent).toMatchObject([['tool.called', { outcome: 'cancelled', message }]]);
      expect(warn).not.toHaveBeenCalled();
    });

    it.each([
      [failure('No such day.'), 'No such day.'],
      [{ content: [image('aGk=', 'image/png')], isError: true }, 'no message'],
      [{ content: [], isError: true }, 'no message'],
    ])('reports an error that a skill returns: %j', async (result, message) => {
      const { skills, sent } = skillsOn(
        ground,
        skillOf({ name: 'work' }, () => result),
      );
      expect(await skills.call(ALICE, 'work', {}, callContext())).toBe(result);
      expect(sent).toMatchObject([['tool.called', { outcome: 'error', message }]]);
    });

    it('passes on what a skill asks its caller', async () => {
      const { skills, sent } = skillsOn(
        ground,
        skillOf({ name: 'ask' }, () => inputRequired({ state: 'asked' })),
      );
      const output = await skills.call(ALICE, 'ask', {}, callContext());
      expect(isInputRequired(output) && output.state).toBe('asked');
      expect(sent).toMatchObject([['tool.called', { outcome: 'ok', message: null }]]);
    });

    it('refuses a result that contradicts the output schema', async () => {
      const output = { type: 'object', properties: { count: { type: 'integer' } } };
      const { skills, sent } = skillsOn(
        ground,
        skillOf({ name: 'count', output }, () => ({ count: 'one' })),
      );
      const message = 'The result of the tool count does not match its output schema: count: must be integer';
      expect(await skills.call(ALICE, 'count', {}, callContext())).toEqual(failure(message));
      expect(sent).toMatchObject([['tool.called', { outcome: 'error', message }]]);
    });

    it('refuses a result without the object that the output schema requires, and says what to return', async () => {
      const output = { type: 'object', properties: { count: { type: 'integer' } } };
      const { skills } = skillsOn(
        ground,
        skillOf({ name: 'count', output }, () => result(image('aGk=', 'image/png'))),
      );
      const message =
        'The result of the tool count has no structured content, which its output schema requires: return an object, or ' +
        '{ content, structuredContent }.';
      expect(await skills.call(ALICE, 'count', {}, callContext())).toEqual(failure(message));
    });

    it('refuses a result above the limit of the tool, counted in bytes of JSON', async () => {
      const around = Buffer.byteLength(JSON.stringify({ content: [text('')] }));
      const fitting = 'ü'.repeat((1_024 - around) / 2) + 'x'.repeat((1_024 - around) % 2);
      let returned = fitting;
      const { skills, catalogue, sent } = skillsOn(
        ground,
        skillOf({ name: 'limited' }, () => returned),
      );
      await catalogue.update('limited', { maxResultBytes: 1_024 });
      expect(await skills.call(ALICE, 'limited', {}, callContext())).toEqual({ content: [text(fitting)] });
      returned = `${fitting}.`;
      const message =
        'The result is too large: 1025 bytes of JSON, the limit is 1024. Ask for less at once, or have the ' +
        'administrator raise the limit of the tool limited on its page under Skills.';
      expect(await skills.call(ALICE, 'limited', {}, callContext())).toEqual(failure(message));
      expect(sent.at(-1)).toMatchObject(['tool.called', { outcome: 'error', message }]);
    });

    it('leaves the size limit of a result to the endpoint for tools without a limit', async () => {
      const long = 'x'.repeat(9_000_000);
      const { skills } = skillsOn(
        ground,
        skillOf({ name: 'work' }, () => long),
      );
      expect(await skills.call(ALICE, 'work', {}, callContext())).toEqual({ content: [text(long)] });
    });
  });
});
