import { jest } from '@jest/globals';
import { inputRequired, isInputRequired, text } from '#skill-kit';
import { settingsOn } from '../../platform/config/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { NOT_ASKED, PolicyClock, type PolicyService } from '../../access/policy/policy.service.js';
import { PERMITTED, policyService } from '../../access/policy/testing.js';
import { type PromptContext, type PromptDefinition, type PromptMessage, PromptRegistry } from './prompt.registry.js';
import { PromptsService } from './prompts.service.js';
import { PromptArgumentMissing, PromptDenied, PromptNotFound } from './skills.errors.js';

const ALICE = { name: 'alice', groups: [] };
const BOB = { name: 'bob', groups: [] };
const contextOf = (client = ALICE): PromptContext => ({ client, answers: {}, state: undefined });
const said = (words: string): PromptMessage[] => [{ role: 'user', content: text(words) }];
const FORBIDDEN = {
  allowed: false,
  reason: 'forbidden',
  policies: ['no_secrets'],
  approval: null,
  userMayApprove: false,
  advice: null,
};

const PROMPTS: readonly PromptDefinition[] = [
  {
    name: 'review',
    description: 'Reviews.',
    arguments: [{ name: 'file', required: true }, { name: 'style' }, { name: 'depth', required: false }],
    get: async (args) => said(`Review ${JSON.stringify(args)}.`),
    complete: async (argument, prefix) => [`${argument}:${prefix}1`, `${argument}:${prefix}2`],
  },
  { name: 'plan', description: 'Plans.', get: async (_args, { client }) => said(`Plan for ${client.name}.`) },
  {
    name: 'secrets',
    description: 'Tells secrets.',
    arguments: [{ name: 'key', required: true }],
    get: async () => said('The word is swordfish.'),
    complete: async () => ['swordfish'],
  },
  { name: 'ask', description: 'Asks.', get: async () => inputRequired({ state: 'asked' }) },
  { name: 'break', description: 'Breaks.', get: () => Promise.reject(new Error('it is broken')) },
  {
    name: 'wait',
    description: 'Waits.',
    get: async () => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return said('It is over.');
    },
  },
  {
    name: 'odd',
    description: 'Has an odd name.',
    arguments: [{ name: 'toString', required: true }],
    get: async () => [],
  },
];

describe('PromptsService', () => {
  let policy: PolicyService;
  beforeAll(async () => {
    policy = await policyService({
      no_secrets: 'forbid (principal == Client::"alice", action, resource == Prompt::"secrets");',
    });
  });
  afterEach(() => void jest.useRealTimers());

  function newPrompts(asked = policy, prompts = PROMPTS) {
    const { events, sent } = recordedEvents();
    const registry = new PromptRegistry(events);
    registry.register(...prompts);
    sent.length = 0;
    return { prompts: new PromptsService(registry, asked, events), sent };
  }

  it('lists the prompts that policy lets a client use', () => {
    const { prompts } = newPrompts();
    const names = (client = ALICE) => prompts.list(client).map(({ name }) => name);
    expect(names(ALICE)).toEqual(['ask', 'break', 'odd', 'plan', 'review', 'wait']);
    expect(names(BOB)).toEqual(['ask', 'break', 'odd', 'plan', 'review', 'secrets', 'wait']);
  });

  it('returns the messages of a prompt for its arguments and its caller, and reports its use', async () => {
    jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    const { prompts, sent } = newPrompts();
    const args = { file: 'a.ts', more: '1' };
    expect(await prompts.render('review', args, contextOf())).toEqual(said('Review {"file":"a.ts","more":"1"}.'));
    expect(await prompts.render('plan', {}, contextOf(BOB))).toEqual(said('Plan for bob.'));
    const at = new Date('2026-01-01T00:00:00Z');
    const used = { decision: PERMITTED, outcome: 'ok', durationMs: 0, at };
    expect(sent).toEqual([
      ['prompt.used', { ...used, prompt: 'review', client: ALICE, arguments: args }],
      ['prompt.used', { ...used, prompt: 'plan', client: BOB, arguments: {} }],
    ]);
  });

  it('reports how long a prompt took, once it is over', async () => {
    jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    const { prompts, sent } = newPrompts();
    await jest.advanceTimersByTimeAsync(1_000);
    const rendered = prompts.render('wait', {}, contextOf());
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(250);
    expect(await rendered).toEqual(said('It is over.'));
    const at = new Date('2026-01-01T00:00:01.250Z');
    expect(sent).toMatchObject([['prompt.used', { outcome: 'ok', durationMs: 250, at }]]);
  });

  it('returns what a prompt asks for', async () => {
    const { prompts, sent } = newPrompts();
    const asked = await prompts.render('ask', {}, contextOf());
    expect(isInputRequired(asked) && asked.state).toBe('asked');
    expect(sent).toMatchObject([['prompt.used', { prompt: 'ask', outcome: 'ok' }]]);
  });

  it('refuses a prompt that policy forbids, whatever its arguments are', async () => {
    const { prompts, sent } = newPrompts();
    const rendered = prompts.render('secrets', {}, contextOf());
    await expect(rendered).rejects.toThrow(PromptDenied);
    await expect(rendered).rejects.toThrow('Not allowed: policy no_secrets forbids the prompt secrets.');
    expect(sent).toMatchObject([['prompt.used', { prompt: 'secrets', decision: FORBIDDEN, outcome: 'denied' }]]);
  });

  it('does not know a prompt that is not registered, about which policy is not asked', async () => {
    const { prompts, sent } = newPrompts();
    await expect(prompts.render('gone', { a: 'b' }, contextOf())).rejects.toThrow(PromptNotFound);
    const used = { prompt: 'gone', client: ALICE, arguments: { a: 'b' }, decision: NOT_ASKED, outcome: 'unknown' };
    expect(sent).toMatchObject([['prompt.used', used]]);
  });

  it('refuses a prompt without an argument that it requires, and says which', async () => {
    const { prompts, sent } = newPrompts();
    const rendered = prompts.render('review', { style: 'terse' }, contextOf());
    await expect(rendered).rejects.toThrow(PromptArgumentMissing);
    await expect(rendered).rejects.toThrow('Prompt review needs the argument "file".');
    expect(sent).toMatchObject([['prompt.used', { prompt: 'review', decision: PERMITTED, outcome: 'invalid' }]]);
  });

  it('does not treat an inherited property as an argument', async () => {
    const { prompts } = newPrompts();
    await expect(prompts.render('odd', {}, contextOf())).rejects.toThrow(PromptArgumentMissing);
    expect(await prompts.render('odd', { toString: '' }, contextOf())).toEqual([]);
  });

  it('passes on the error of a prompt, and reports it', async () => {
    const { prompts, sent } = newPrompts();
    await expect(prompts.render('break', {}, contextOf())).rejects.toThrow('it is broken');
    expect(sent).toMatchObject([['prompt.used', { prompt: 'break', decision: PERMITTED, outcome: 'error' }]]);
  });

  it('suggests values for an argument of a prompt, none where the prompt knows none', async () => {
    const { prompts, sent } = newPrompts();
    const suggested = await prompts.suggest(ALICE, 'review', { argument: 'file', prefix: 'src/' });
    expect(suggested).toEqual(['file:src/1', 'file:src/2']);
    expect(await prompts.suggest(ALICE, 'plan', { argument: 'goal', prefix: '' })).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('suggests nothing for a prompt that policy forbids, or that is not registered', async () => {
    const { prompts } = newPrompts();
    const completion = { argument: 'key', prefix: '' };
    await expect(prompts.suggest(ALICE, 'secrets', completion)).rejects.toThrow(PromptDenied);
    expect(await prompts.suggest(BOB, 'secrets', completion)).toEqual(['swordfish']);
    await expect(prompts.suggest(ALICE, 'gone', completion)).rejects.toThrow(PromptNotFound);
  });

  it('asks policy nothing about a prompt that a client has invented', async () => {
    const { prompts } = newPrompts();
    const decide = jest.spyOn(policy, 'decide');
    await expect(prompts.suggest(ALICE, 'gone', { argument: 'key', prefix: '' })).rejects.toThrow(PromptNotFound);
    expect(decide).not.toHaveBeenCalled();
    decide.mockRestore();
  });

  it('gets a prompt by its name', () => {
    const { prompts } = newPrompts();
    expect(prompts.get('plan')).toBe(PROMPTS[1]);
    expect(() => prompts.get('gone')).toThrow(PromptNotFound);
    expect(() => prompts.get('gone')).toThrow('Unknown prompt: gone.');
  });

  it('knows whether a client may use other prompts since the policies changed', async () => {
    const { hour, weekday } = new PolicyClock(await settingsOn()).now();
    const earlier = (hour + 23) % 24;
    const changing = await policyService({
      hours: `forbid (principal == Client::"alice", action == Action::"getPrompt", resource == Prompt::"review")
        when { context.hour == ${earlier} };`,
      tools: `forbid (principal, action == Action::"callTool", resource) when { context.hour == ${earlier} };`,
    });
    changing.clockTurned({ hour: earlier, weekday }, {});
    const { prompts } = newPrompts(changing);
    expect(prompts.hasOtherList(ALICE)).toBe(true);
    expect(prompts.hasOtherList(BOB)).toBe(false);
    const { prompts: others } = newPrompts(changing, PROMPTS.slice(1));
    expect(others.hasOtherList(ALICE)).toBe(false);
  });
});
