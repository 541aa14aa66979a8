import type { Json } from './request-parts.js';

export type ValidCall = readonly [method: string, params: Json];

const call = (name: string, args: Json): ValidCall => ['tools/call', { name, arguments: args }];

/** Every tool, with valid arguments; together they create, find, change and remove. */
const TOOL_CALLS: readonly ValidCall[] = [
  call('system_info', {}),
  call('resource_read', { uri: 'config://mcp.tool_timeout_ms' }),
  call('memory_save', {
    key: 'deploy-day',
    content: 'Deploys are on Tuesdays, see [the plan](knowledge://documents/plan).',
    namespace: 'team',
    tags: ['deploy', 'plan'],
    importance: 4,
    expires_in_days: 30,
  }),
  call('memory_save', { key: 'greeting', content: 'Grüezi, 全文検索, עברית.' }),
  call('memory_search', { query: 'deploy "on tuesdays"', namespace: 'team', limit: 5 }),
  call('memory_remove', { key: 'deploy-day', namespace: 'team' }),
  call('knowledge_edit', { uri: 'knowledge://documents/no-such', old_text: 'a', new_text: 'b', append: 'c' }),
  call('knowledge_save', {
    title: 'The plan',
    content: '# Plan\n\n## Deploys\n\nOn Tuesdays.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst x = 1;\n```\n',
    tags: ['deploy'],
    id: 'plan',
  }),
  call('knowledge_save', { title: 'Notes', content: 'Words of a note about deploys.' }),
  call('knowledge_search', { query: 'deploys on tuesdays', tags: ['deploy'], limit: 5 }),
  call('knowledge_remove', { id: 'plan' }),
  call('knowledge_restore', { uri: 'knowledge://documents/plan' }),
  call('feed_subscribe', { url: 'ftp://127.0.0.1/feed.xml' }), // connects to nothing
  call('feed_unsubscribe', { feed: 'no-such-feed' }),
  call('feed_items', { feed: 'no-such-feed', since: '2026-01-01T00:00:00Z', query: 'words', limit: 10 }),
  call('feed_items', { since: '2026-01-01', query: 'words' }),
];

const READS: readonly ValidCall[] = [
  'config://mcp.tool_timeout_ms',
  'memory://team/deploy-day',
  'knowledge://documents/plan',
  'rss://feeds/none/items/none',
].map((uri) => ['resources/read', { uri }]);

const COMPLETIONS: readonly ValidCall[] = [
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: 'b' } }],
  ...['config://{key}', 'memory://{namespace}/{key}', 'knowledge://documents/{id}', 'rss://{feed}'].map(
    (uri): ValidCall => [
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri },
        argument: { name: /\{(\w+)\}$/.exec(uri)?.[1] ?? '', value: 'd' },
        context: { arguments: { namespace: 'team' } },
      },
    ],
  ),
];

const LISTS: readonly ValidCall[] = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
].flatMap((method): ValidCall[] => [
  [method, {}],
  [method, { cursor: cursorOf('memory', cursorOf('team', 'deploy-day')) }],
  [method, { cursor: Buffer.from('1').toString('base64url') }],
]);

const OF_BOTH: readonly ValidCall[] = [
  ...TOOL_CALLS,
  ...TOOL_CALLS,
  ...READS,
  ...COMPLETIONS,
  ...LISTS,
  ['prompts/get', { name: 'none', arguments: { a: 'b' } }],
];

/** Every request of protocol 2025-11-25. */
export const CALLS_2025: readonly ValidCall[] = [
  ...OF_BOTH,
  ...OF_BOTH,
  ['ping', {}],
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'config://mcp.tool_timeout_ms' }],
  ['resources/unsubscribe', { uri: 'config://mcp.tool_timeout_ms' }],
  [
    'initialize',
    {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
      clientInfo: { name: 'fuzz', title: 'Fuzz', version: '1.0.0' },
    },
  ],
];

/** Every request of protocol 2026-07-28. */
export const CALLS_2026: readonly ValidCall[] = [
  ...OF_BOTH,
  ...OF_BOTH,
  ['server/discover', {}],
  [
    'subscriptions/listen',
    { notifications: { toolsListChanged: true, resourceSubscriptions: ['memory://team/deploy-day', 'config://x'] } },
  ],
];

export const NOTIFICATIONS: readonly ValidCall[] = [
  ['notifications/initialized', {}],
  ['notifications/cancelled', { requestId: 1, reason: 'enough' }],
  ['notifications/progress', { progressToken: 1, progress: 1, total: 2, message: 'half' }],
  ['notifications/roots/list_changed', {}],
];

function cursorOf(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}
