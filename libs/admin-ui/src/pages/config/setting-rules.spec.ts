import { ApiError } from '../../api/api-error';
import { checkDraft, draftOf, factsOf, groupSettings, isChanged, wrongEntriesOf } from './setting-rules';
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
  expect([isChanged(setting(), '30000'), isChanged(setting(), '5'), isChanged(setting(), '')]).toEqual([
    false,
    true,
    true,
  ]);
  const list = setting({ type: 'string_list', value: ['a', 'b'] });
  expect([isChanged(list, ['a', 'b']), isChanged(list, ['b', 'a'])]).toEqual([false, true]);
});

const BOUNDS = '1 to 3,600,000 ms · Default: 30,000 ms (30 seconds)';

it.each([
  [{}, '30000', `${BOUNDS} · Now: 30,000 ms (30 seconds)`],
  [{}, '2 min', `${BOUNDS} · Now: 30,000 ms (30 seconds) · Entered: 120,000 ms (2 minutes)`],
  [{}, 'soon', `${BOUNDS} · Now: 30,000 ms (30 seconds)`],
  [
    { unit: 'bytes', default: 1024, value: 2048 },
    '2048',
    '1 to 3,600,000 bytes · Default: 1,024 bytes (1 KiB) · Now: 2,048 bytes (2 KiB)',
  ],
  [{ unit: 'days', default: 90, value: 30 }, '30', '1 to 3,600,000 days · Default: 90 days · Now: 30 days'],
  [{ unit: undefined, default: 0, value: 5 }, '5', '1 to 3,600,000 · Default: 0 · Now: 5'],
  [
    { type: 'string_list' as const, minimum: undefined, default: [], value: ['a', 'b'] },
    [],
    'Default: empty · Now: a, b',
  ],
])('shows bounds, default, current value and input: %j holding %j', (parts, draft, facts) => {
  expect(factsOf(setting(parts), draft)).toBe(facts);
});

it('refuses a secret that can be guessed', () => {
  const secret = setting({ type: 'secret', secret: true, value: null, minimumLength: 16 });
  expect(checkDraft(secret, 'x')).toEqual({ problem: expect.stringContaining('16 characters or more') as string });
  expect(checkDraft(secret, 'x'.repeat(16))).toEqual({ value: 'x'.repeat(16) });
});

it('finds the entries of a list that the service refused', () => {
  const fields = [
    { path: 'value.1', message: '' },
    { path: 'value.12', message: '' },
    { path: 'value', message: '' },
  ];
  expect(wrongEntriesOf(new ApiError('', { status: 400, code: 'x', fields }))).toEqual([1, 12]);
});
