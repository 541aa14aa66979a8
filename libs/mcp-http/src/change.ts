/** A change that clients can subscribe to (specification 2026-07-28, basic/patterns/subscriptions). */
export type ChangeEvent = ListChanged | { kind: 'resource_updated'; uri: string } | TaskChanged;

export interface ListChanged {
  kind: 'tools_list_changed' | 'prompts_list_changed' | 'resources_list_changed';
  /** Name of the only client whose list changed; absent = all clients. */
  client?: string;
}

/** The state of a task has changed. Followers get the whole task, which each process reads for its own streams. */
interface TaskChanged {
  kind: 'task_changed';
  taskId: string | null; // null = any of them
}

/** A change that is complete in itself. */
export type PlainChange = Exclude<ChangeEvent, TaskChanged>;

export interface LoggedChange {
  seq: number;
  event: ChangeEvent;
}

const METHOD = {
  tools_list_changed: 'notifications/tools/list_changed',
  prompts_list_changed: 'notifications/prompts/list_changed',
  resources_list_changed: 'notifications/resources/list_changed',
  resource_updated: 'notifications/resources/updated',
} as const satisfies Record<PlainChange['kind'], string>;

export const isFor = (event: PlainChange, client: string): boolean =>
  event.kind === 'resource_updated' || event.client === undefined || event.client === client;

export function changeNotification(event: PlainChange): string {
  const params = event.kind === 'resource_updated' && { params: { uri: event.uri } };
  return JSON.stringify({ jsonrpc: '2.0', method: METHOD[event.kind], ...params });
}

/** Builds the notification once for many streams: returns a function that adds the `_meta` of one stream, given as JSON. */
export function changeNotificationWith(event: PlainChange): (metaJson: string) => string {
  // The common part is serialised once, however many streams there are.
  const uri = event.kind === 'resource_updated' ? `"uri":${JSON.stringify(event.uri)},` : '';
  const start = `{"jsonrpc":"2.0","method":"${METHOD[event.kind]}","params":{${uri}"_meta":`;
  return (metaJson) => `${start}${metaJson}}}`;
}

/** Builds the notification of a task once for many streams: returns a function that adds the `_meta` of one stream. */
export function taskNotificationWith(task: object): (metaJson: string) => string {
  const { _meta, ...params } = { _meta: undefined, ...task };
  const start = `{"jsonrpc":"2.0","method":"notifications/tasks","params":${JSON.stringify(params).slice(0, -1)},"_meta":`;
  return (metaJson) => `${start}${metaJson}}}`;
}

/** Keeps only the latest change of each kind, which is all that a client that missed several needs. */
export function withoutRepeats(changes: readonly LoggedChange[]): LoggedChange[] {
  const latest = new Map(changes.map((change) => [JSON.stringify(change.event), change]));
  return [...latest.values()].sort((a, b) => a.seq - b.seq);
}

const LISTS_CHANGED = [
  { kind: 'tools_list_changed' },
  { kind: 'prompts_list_changed' },
  { kind: 'resources_list_changed' },
  { kind: 'task_changed', taskId: null },
] as const satisfies readonly ChangeEvent[];

/**
 * Returns the changes to send to all clients when the log no longer reaches back: all lists and all tasks, numbered up to
 * `latest`.
 */
export function allListsChanged(latest: number): LoggedChange[] {
  return LISTS_CHANGED.map((event, index) => ({ seq: latest - LISTS_CHANGED.length + 1 + index, event }));
}

/** The same for one client: all lists and all resources that it watches, numbered from `since` on. */
export function everythingChanged(subscriptions: Iterable<string>, since: number): LoggedChange[] {
  const updated = Array.from(subscriptions, (uri) => ({ kind: 'resource_updated' as const, uri }));
  return [...LISTS_CHANGED, ...updated].map((event, index) => ({ seq: since + 1 + index, event }));
}
