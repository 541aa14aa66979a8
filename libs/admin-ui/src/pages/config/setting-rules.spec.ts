import { draftOf, factsOf, groupSettings, isChanged } from './setting-rules';
import type { Setting } from './use-settings';

const setting = (parts: Partial<Setting> = {}): Setting => ({
  key: 'mcp.tool_timeout_ms',
  type: 'integer',
  group: 'mcp',
  description: '',
  default: 30_000,
  minimum: 1,
  maximum: 3_600_000,
  unit: 'ms',
  value: 30_000,
  isSet: false,
  source: 'default',
  locked: false,
  environmentVariable: 'MCP_TOOL_TIMEOUT_MS',
  secret: false,
  problem: null,
  version: 'default',
  ...parts,
});

it('puts the endpoint first and its limits last, and secrets before other settings', () => {
  const settings = [
    setting({ key: 'mcp.max', group: 'limits' }),
    setting({ key: 'audit.days', group: 'audit' }),
    setting({ key: 'mcp.allowed' }),
    setting({ key: 'mcp.api_key', type: 'secret', secret: true }),
    setting({ key: 'new.thing', group: 'new' }),
  ];
  expect(groupSettings(settings).map(({ title, settings: inside }) => [title, inside.map(({ key }) => key)])).toEqual([
    ['MCP endpoint', ['mcp.api_key', 'mcp.allowed']],
    ['Audit log', ['audit.days']],
    ['new', ['new.thing']],
    ['Limits of the MCP endpoint', ['mcp.max']],
  ]);
});

it('starts a secret and an unset text empty, and a list as a list', () => {
  expect(draftOf(setting({ type: 'secret', value: null }))).toBe('');
  expect(draftOf(setting({ type: 'string_list', value: null }))).toEqual([]);
});

it('sees a change in a number and in a list', () => {
  expect([isChanged(setting(), 30_000), isChanged(setting(), 5), isChanged(setting(), '')]).toEqual([
    false,
    true,
    true,
  ]);
  const list = setting({ type: 'string_list', value: ['a', 'b'] });
  expect([isChanged(list, ['a', 'b']), isChanged(list, ['b', 'a'])]).toEqual([false, true]);
});

it.each([
  [{}, 30_000, '1 to 3,600,000 ms · Default: 30,000 ms · Now: 30 seconds'],
  [{}, 86_400_000, '1 to 3,600,000 ms · Default: 30,000 ms · Now: 1 day'],
  [{}, 500, '1 to 3,600,000 ms · Default: 30,000 ms'],
  [{}, '', '1 to 3,600,000 ms · Default: 30,000 ms'],
  [{ unit: 'bytes' }, 4_194_304, '1 to 3,600,000 bytes · Default: 30,000 bytes · Now: 4 MiB'],
  [{ unit: 'days' }, 30, '1 to 3,600,000 days · Default: 30,000 days'],
  [{ unit: undefined, default: 0 }, 5, '1 to 3,600,000 · Default: 0'],
  [{ minimum: undefined, default: [] }, [], 'Default: empty'],
  [{ minimum: undefined, default: ['a', 'b'] }, [], 'Default: a, b'],
])('tells bounds, default and meaning: %j holding %j', (parts, draft, facts) => {
  expect(factsOf(setting(parts), draft)).toBe(facts);
});
