import { type AgentCall, moveOf, moveSchema, roleText, taskText } from './agent.rules.js';

const tool = (name: string, description = 'Finds things.') => ({ name, description, inputSchema: { type: 'object' } });
const call = (result: string, failed = false): AgentCall => ({ tool: 'find', input: { q: 'a' }, result, failed });

describe('what an agent is told', () => {
  it('names the tools with their arguments, and cuts long descriptions', () => {
    const role = roleText([tool('find'), tool('long', 'x'.repeat(5_000))]);
    expect(role).toContain('## find\nFinds things.\nArguments: {"type":"object"}');
    expect(role).toContain(`## long\n${'x'.repeat(1_000)} [4000 characters left out]\n`);
  });

  it('has no room for tools with too much to say', () => {
    const long = { ...tool('find'), inputSchema: { description: 'x'.repeat(46_000) } };
    expect(roleText([long])).toBeNull();
  });

  it('repeats the task, with each call and what came of it', () => {
    expect(taskText('Look.', [])).toBe('# Task\n\nLook.\n\nWhat do you do next?');
    expect(taskText('Look.', [call('three'), call('no such thing', true)])).toBe(
      '# Task\n\nLook.\n\n# Done so far\n\n1. find {"q":"a"}\nIt returned:\nthree\n\n' +
        '2. find {"q":"a"}\nIt failed:\nno such thing\n\nWhat do you do next?',
    );
  });

  it('stays short with long results: each is cut, and the oldest are left out', () => {
    const calls = Array.from({ length: 50 }, (_, index) => call(`${index}:`.padEnd(50_000, 'x')));
    const text = taskText('Look.', calls);
    expect(text.length).toBeLessThan(110_000);
    expect(text).toContain('1. find: its result is left out here.');
    expect(text).toContain('50. find {"q":"a"}\nIt returned:\n49:xxx');
  });

  it('does not cut a character in two', () => {
    expect(taskText('Look.', [call('😀'.repeat(10_000))]).isWellFormed()).toBe(true);
    expect(taskText('Look.', [call(`x${'😀'.repeat(10_000)}`)]).isWellFormed()).toBe(true);
  });
});

describe('what an agent does next', () => {
  it('is one of its tools, or the answer', () => {
    expect(moveSchema(['find', 'save'])).toMatchObject({ properties: { tool: { enum: ['find', 'save', null] } } });
    expect(moveOf({ tool: 'find', arguments: { q: 1 }, answer: null })).toEqual({ tool: 'find', input: { q: 1 } });
    expect(moveOf({ tool: 'find' })).toEqual({ tool: 'find', input: {} });
    expect(moveOf({ tool: null, answer: 'Three.' })).toEqual({ answer: 'Three.' });
    for (const answer of [undefined, null, '', ' \n'])
      expect(moveOf({ tool: null, ...(answer !== undefined && { answer }) })).toBeNull();
  });
});
