import type { ChangeEvent } from './storage.js';

const METHOD = {
  tools_list_changed: 'notifications/tools/list_changed',
  prompts_list_changed: 'notifications/prompts/list_changed',
  resources_list_changed: 'notifications/resources/list_changed',
  resource_updated: 'notifications/resources/updated',
} as const satisfies Record<ChangeEvent['kind'], string>;

/** The notification that tells a client of a change, as JSON. */
export function changeNotification(event: ChangeEvent): string {
  const params = event.kind === 'resource_updated' && { params: { uri: event.uri } };
  return JSON.stringify({ jsonrpc: '2.0', method: METHOD[event.kind], ...params });
}

/** The same for many streams, each with a `_meta` of its own, given as JSON: what they have in common is written once. */
export function changeNotificationWith(event: ChangeEvent): (metaJson: string) => string {
  const uri = event.kind === 'resource_updated' ? `"uri":${JSON.stringify(event.uri)},` : '';
  const start = `{"jsonrpc":"2.0","method":"${METHOD[event.kind]}","params":{${uri}"_meta":`;
  return (metaJson) => `${start}${metaJson}}}`;
}

/** One event of each sort, the latest: what a client that missed several needs to hear. */
export function withoutRepeats(entries: readonly { seq: number; event: ChangeEvent }[]) {
  const latest = new Map(entries.map((entry) => [JSON.stringify(entry.event), entry]));
  return [...latest.values()].sort((a, b) => a.seq - b.seq);
}

/** What a client must assume when nobody knows what it missed. */
export function everythingChanged(subscriptions: Iterable<string>): ChangeEvent[] {
  return [
    { kind: 'tools_list_changed' },
    { kind: 'prompts_list_changed' },
    { kind: 'resources_list_changed' },
    ...Array.from(subscriptions, (uri) => ({ kind: 'resource_updated' as const, uri })),
  ];
}
