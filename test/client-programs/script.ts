import type { ScriptedCall } from './model/scripted-model.js';

const NO_RUN = 'run://0123456789abcdef0123456789abcdef';

/** Calls every tool of the service, and adds a few calls that fail. */
export const scriptFor = (feed: string): readonly ScriptedCall[] => [
  { tool: 'system_info', arguments: {} },
  {
    tool: 'knowledge_save',
    arguments: {
      title: 'Release plan',
      content: '# Release plan\n\nThe zebra release ships on Monday.',
      tags: ['ops'],
    },
  },
  { tool: 'knowledge_search', arguments: { query: 'when does the zebra ship?' } },
  {
    tool: 'knowledge_edit',
    arguments: { uri: 'knowledge://documents/release-plan', old_text: 'on Monday', new_text: 'on Tuesday' },
  },
  { tool: 'knowledge_edit', arguments: { id: 'release-plan', old_text: 'on Sunday', new_text: 'never' } },
  { tool: 'resource_read', arguments: { uri: 'knowledge://documents/release-plan' } },
  { tool: 'resource_read', arguments: { uri: 'knowledge://documents/nothing' } },
  { tool: 'knowledge_remove', arguments: { id: 'release-plan' } },
  { tool: 'knowledge_restore', arguments: { id: 'release-plan' } },
  { tool: 'memory_save', arguments: { key: 'standup-day', content: 'The standup is on Friday.', importance: 4 } },
  { tool: 'memory_save', arguments: { key: 'Not a key', content: 'refused' } },
  { tool: 'memory_search', arguments: { query: 'standup' } },
  { tool: 'memory_remove', arguments: { key: 'standup-day' } },
  { tool: 'feed_subscribe', arguments: { url: feed } },
  { tool: 'feed_items', arguments: { limit: 5, since: '2026-01-01' } },
  { tool: 'feed_unsubscribe', arguments: { feed } },
  { tool: 'run_list', arguments: {} },
  { tool: 'run_status', arguments: { id: NO_RUN } },
  { tool: 'run_cancel', arguments: { id: NO_RUN } },
];
