/** Something changed that clients want to know of (specification 2026-07-28, basic/patterns/subscriptions). */
export type ChangeEvent = ListChanged | { kind: 'resource_updated'; uri: string } | TaskChanged;

/** A list has other entries. */
export interface ListChanged {
  kind: 'tools_list_changed' | 'prompts_list_changed' | 'resources_list_changed';
  /** Name of the only client whose list it is; absent: of all clients. */
  client?: string;
}

/** A task has another state. Those who follow it are told the whole task, which each process reads for its own streams. */
interface TaskChanged {
  kind: 'task_changed';
  taskId: string | null; // null = any of them
}

/** A change that says all there is to say. */
export type PlainChange = Exclude<ChangeEvent, TaskChanged>;

/** A change as the change log numbers it. */
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

/** Returns whether a change concerns a client. */
export const isFor = (event: PlainChange, client: string): boolean =>
  event.kind === 'resource_updated' || event.client === undefined || event.client === client;

/** Returns the notification that tells a client of a change, as JSON. */
export function changeNotification(event: PlainChange): string {
  const params = event.kind === 'resource_updated' && { params: { uri: event.uri } };
  return JSON.stringify({ jsonrpc: '2.0', method: METHOD[event.kind], ...params });
}

/** Returns the same for many streams: a function that adds the `_meta` of one stream, given as JSON. */
export function changeNotificationWith(event: PlainChange): (metaJson: string) => string {
  // What the streams have in common is written once, however many there are.
  const uri = event.kind === 'resource_updated' ? `"uri":${JSON.stringify(event.uri)},` : '';
  const start = `{"jsonrpc":"2.0","method":"${METHOD[event.kind]}","params":{${uri}"_meta":`;
  return (metaJson) => `${start}${metaJson}}}`;
}

/** Returns the notification that tells of a task, for many streams: a function that adds the `_meta` of one stream. */
export function taskNotificationWith(task: object): (metaJson: string) => string {
  const { _meta, ...params } = { _meta: undefined, ...task };
  const start = `{"jsonrpc":"2.0","method":"notifications/tasks","params":${JSON.stringify(params).slice(0, -1)},"_meta":`;
  return (metaJson) => `${start}${metaJson}}}`;
}

/** Returns the latest of each sort of change: what a client that missed several needs to hear. */
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

/** Returns what all clients are told when the log no longer says what changed: all lists and all tasks, the last as `latest`. */
export function allListsChanged(latest: number): LoggedChange[] {
  return LISTS_CHANGED.map((event, index) => ({ seq: latest - LISTS_CHANGED.length + 1 + index, event }));
}

/** Returns what one client is told then: all lists and all that it watches, numbered from `since` on. */
export function everythingChanged(subscriptions: Iterable<string>, since: number): LoggedChange[] {
  const updated = Array.from(subscriptions, (uri) => ({ kind: 'resource_updated' as const, uri }));
  return [...LISTS_CHANGED, ...updated].map((event, index) => ({ seq: since + 1 + index, event }));
}
