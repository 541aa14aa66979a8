import { failuresOf, seenParts } from './checks.js';
import type { Program } from './programs.js';
import type { Trial } from './trial.js';

const NOT_USED = () => ({ args: [] });
const PROGRAM: Program = {
  name: 'A program',
  package: 'a',
  file: 'a',
  section: 'a',
  configure: () => Promise.resolve([]),
  ask: NOT_USED,
  list: NOT_USED,
  wrongKeyMessage: 'Disconnected',
};
const SCHEMA = {
  type: 'object' as const,
  properties: { query: { type: 'string', description: 'Words, such as "a b"' } },
};
const RESULT = {
  content: [{ type: 'text', text: '1 found:\nzebra' }],
  structuredContent: { hits: ['zebra'], found: 1 },
};
const TEXT_SHOWN = 'Output:\n1 found:\nzebra';

function trialWith(changes: Partial<Trial> & { seen?: string; offers?: object }): Trial {
  const { seen = TEXT_SHOWN, offers = {}, ...others } = changes;
  const tool = { name: 'mcp_agent_find', group: '', description: 'Finds words.', schema: SCHEMA, ...offers };
  return {
    protocol: '2025-11-25',
    shown: { prompt: '', tools: [tool], results: [seen] },
    calls: [{ tool: 'find', arguments: { query: 'zebra' }, shown: seen }],
    results: new Map([['find', [RESULT]]]),
    searched: '',
    scripted: 1,
    service: { instructions: '', tools: [{ name: 'find', description: 'Finds words.', inputSchema: SCHEMA }] },
    output: '',
    wrongKeyOutput: 'agent - Disconnected',
    refusedHosts: [],
    unknownRequests: [],
    ...others,
  };
}

const failures = (changes: Parameters<typeof trialWith>[0], troubleshooting = 'It says "Disconnected".') =>
  failuresOf(PROGRAM, trialWith(changes), troubleshooting).join('\n');

describe('requirements for client programs', () => {
  it('are met by one that shows the text, or the structured content, as JSON in JSON too', () => {
    expect(failures({})).toBe('');
    const structured = JSON.stringify(JSON.stringify(RESULT.structuredContent));
    expect(failures({ seen: structured })).toBe('');
    expect(seenParts(trialWith({}))).toEqual([{ text: true, structured: false }]);
    expect(seenParts(trialWith({ seen: structured }))).toEqual([{ text: false, structured: true }]);
    expect(seenParts(trialWith({ seen: TEXT_SHOWN + structured }))).toEqual([{ text: true, structured: true }]);
  });

  it('are met by one that offers its tools after a search', () => {
    const found = { name: 'mcp__agent__find', description: 'Finds words.', parametersJsonSchema: SCHEMA };
    const searched = `<functions>\n<function>${JSON.stringify(found)}</function>\n</functions>`;
    expect(failures({ searched, shown: { prompt: '', tools: [], results: [] } })).toBe('');
  });

  it.each([
    [
      'does not connect',
      { shown: null, output: 'no server' },
      'did not connect, or offers no tool. It says: no server',
    ],
    ['lacks a tool', { offers: { name: 'other' } }, 'find is not offered'],
    ['cuts a description', { offers: { description: 'Finds' } }, 'the description of find is not shown whole'],
    ['drops a parameter', { offers: { schema: {} } }, 'find.query is not shown'],
    ['shows half of a result', { seen: '1 found:' }, 'the result does not arrive: find {"query":"zebra"} shows'],
    ['keeps a call to itself', { results: new Map() }, 'never reached the service'],
    ['stops early', { scripted: 2 }, '1 calls of the script were not made'],
    ['is silent about a wrong key', { wrongKeyOutput: 'ok' }, 'a wrong key is not called "Disconnected": ok'],
  ] as const)('is not fulfilled by one that %s', (_what, changes, message) => {
    expect(failures(changes)).toContain(message);
  });

  it('are not met while the manual does not explain the message', () => {
    expect(failures({}, '')).toBe('the manual does not say what "Disconnected" means');
  });
});
