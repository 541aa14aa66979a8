import type { ServerResponse } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type JSONRPCRequest,
  SERVER_INFO_META_KEY,
  type ServerCapabilities,
  SUBSCRIPTION_ID_META_KEY,
  type SubscriptionFilter,
} from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { type Caller, type Revocation, isRevoked, type OpenStream, type Program } from './caller.js';
import { type ChangeEvent, changeNotificationWith, isFor, type ListChanged, taskNotificationWith } from './change.js';
import type { EndpointOptions } from './endpoint-options.js';
import { EVENT_STREAM_HEADERS, type EventStreams } from './event-stream.js';
import { ErrorCode, type WireError } from './json-rpc.js';
import { nameProblem } from './request-body.js';
import type { Quota } from './quota.js';
import { RETRY_LATER, subscriptionsProblem, TASKS_EXTENSION, tasksNotDeclared } from './refusals.js';
import { isClosed, sendError, whenClosed } from './responses.js';
import { TaskStreams } from './task-streams.js';
import { inTurns } from './turns.js';
import { WatchedUris } from './watched-uris.js';

/** The filter of a subscription. The SDK lacks the part of the Tasks extension. */
interface Filter extends SubscriptionFilter {
  taskIds?: string[];
}

interface ListenRequest<C extends Caller> {
  message: JSONRPCRequest;
  caller: C;
  program: Program;
  res: ServerResponse;
}

interface ListenStream<C extends Caller> {
  res: ServerResponse;
  caller: C;
  program: Program;
  capabilities: ClientCapabilities;
  filter: Filter;
  watched: WatchedUris;
  meta: { [SUBSCRIPTION_ID_META_KEY]: string | number };
  metaJson: string;
}

/** The open `subscriptions/listen` streams (specification 2026-07-28, basic/patterns/subscriptions). */
export class ListenStreams<C extends Caller> {
  private readonly streams = new Set<ListenStream<C>>();
  /** Requests that wait until the tasks that their callers may follow are known. */
  private readonly opening = new Set<ListenRequest<C>>();
  private readonly tasks = new TaskStreams<ListenStream<C>>((taskId, streams) => this.sendTask(taskId, streams));

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly events: EventStreams,
    private readonly streamQuota: Quota,
  ) {}

  get count(): number {
    return this.streams.size;
  }

  openStreams(): OpenStream[] {
    return [...this.streams].map(({ caller, program }) => ({ caller: caller.name, program, sessionId: null }));
  }

  async open(request: ListenRequest<C>): Promise<void> {
    const { message, caller, res } = request;
    if (isClosed(res)) return;
    const requested = readFilter(message.params?.['notifications']);
    if (!requested) return sendError(res, INVALID_FILTER, message.id);
    const problem = this.problemOf(requested) ?? undeclaredProblem(requested, capabilitiesOf(message));
    if (problem) return sendError(res, problem, message.id);
    const refusal = this.streamQuota.refusal(caller.name);
    if (refusal) return sendError(res, refusal, message.id, RETRY_LATER);
    this.streamQuota.addUntilClosed(caller.name, res);
    if (!requested.taskIds?.length) return this.begin(request, this.honoured(requested, caller));
    this.opening.add(request);
    try {
      const taskIds = await this.followable(requested.taskIds, request);
      if (isClosed(res)) return;
      // What the caller may watch may have changed meanwhile.
      const filter = this.honoured(requested, caller);
      this.begin(request, { ...filter, ...(taskIds.length > 0 && { taskIds }) });
    } finally {
      this.opening.delete(request);
    }
  }

  private begin({ message, caller, program, res }: ListenRequest<C>, filter: Filter): void {
    const meta = { [SUBSCRIPTION_ID_META_KEY]: message.id };
    const stream: ListenStream<C> = {
      res,
      caller,
      program,
      capabilities: capabilitiesOf(message),
      filter,
      watched: new WatchedUris((uri) => this.options.protocol.canonicalUri(uri), filter.resourceSubscriptions),
      meta,
      metaJson: JSON.stringify(meta),
    };
    res.writeHead(200, EVENT_STREAM_HEADERS);
    this.events.event(res, acknowledgement(stream));
    const stopKeepAlive = this.events.keepAlive.add(() => this.events.comment(res));
    this.streams.add(stream);
    const { taskIds = [] } = filter;
    this.tasks.add(stream, taskIds);
    whenClosed(res, () => {
      stopKeepAlive();
      this.streams.delete(stream);
      this.tasks.remove(stream, taskIds);
    });
  }

  async broadcast(event: ChangeEvent): Promise<void> {
    if (event.kind === 'task_changed') return this.tasks.changed(event.taskId);
    if (event.kind === 'resource_updated') return this.broadcastUpdate(event.uri);
    const notification = changeNotificationWith(event);
    await inTurns([...this.streams], ({ res, caller, filter, metaJson }) => {
      if (wants(filter, event) && isFor(event, caller.name)) this.events.event(res, notification(metaJson));
    });
  }

  /** Notifies of a changed resource, under each URI by which a stream watches it. */
  private async broadcastUpdate(changed: string): Promise<void> {
    const notifications = new Map<string, (metaJson: string) => string>();
    await inTurns([...this.streams], ({ res, caller, watched, metaJson }) => {
      const written = watched.writtenFor(changed);
      if (written.length === 0 || !this.options.protocol.mayWatch(caller, changed)) return;
      for (const uri of written) {
        const notification = notifications.get(uri) ?? changeNotificationWith({ kind: 'resource_updated', uri });
        notifications.set(uri, notification);
        this.events.event(res, notification(metaJson));
      }
    });
  }

  /** Ends the streams that include something no longer allowed. Their clients subscribe again, and learn what they may follow. */
  endForbidden(): Promise<void> {
    const { protocol } = this.options;
    return inTurns([...this.streams], (stream) => {
      const isForbidden = (uri: string) => !protocol.mayWatch(stream.caller, uri);
      if (!stream.res.writableEnded && [...stream.watched].some(isForbidden)) this.endOne(stream);
    });
  }

  /** Ends the streams covered by a cut-off, or all streams. */
  async close(whose?: Revocation): Promise<void> {
    const isMeant = ({ caller }: { caller: C }) => whose === undefined || isRevoked(caller, whose);
    for (const request of [...this.opening].filter(isMeant)) request.res.destroy();
    await this.end([...this.streams].filter(isMeant));
  }

  private end(streams: readonly ListenStream<C>[]): Promise<void> {
    return inTurns(streams, (stream) => this.endOne(stream));
  }

  /** The last message of a stream marks it as complete. */
  private endOne({ res, meta }: ListenStream<C>): void {
    const _meta = { ...meta, [SERVER_INFO_META_KEY]: this.options.protocol.serverInfo };
    const id = meta[SUBSCRIPTION_ID_META_KEY];
    this.events.event(res, JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } }));
    res.end();
  }

  private async sendTask(taskId: string, streams: ReadonlySet<ListenStream<C>>): Promise<void> {
    try {
      // Callers of the same client may have different access and capabilities: they may use different programs.
      for (const stream of streams) {
        const { res, caller, capabilities, metaJson } = stream;
        const task = await this.options.protocol.tasks?.find(caller, taskId, capabilities);
        if (task) this.events.event(res, taskNotificationWith(task)(metaJson));
        // It is gone, or forbidden now: the client would wait for it in vain.
        else this.endOne(stream);
      }
    } catch (error) {
      this.options.onStorageError(error);
      // A client that reconnects gets the current task. Otherwise it might never learn that the task has ended.
      await this.end([...streams]);
    }
  }

  /** Returns the tasks that belong to the caller. */
  private async followable(taskIds: readonly string[], { caller, message }: ListenRequest<C>): Promise<string[]> {
    const { tasks } = this.options.protocol;
    const found: string[] = [];
    for (const taskId of new Set(taskIds)) {
      if (await tasks?.find(caller, taskId, capabilitiesOf(message))) found.push(taskId);
    }
    return found;
  }

  private problemOf({ resourceSubscriptions = [], taskIds = [] }: Filter): WireError | null {
    const limits = this.options.limits();
    const watched = [...resourceSubscriptions, ...taskIds];
    const bytes = watched.reduce((sum, name) => sum + name.length, 0);
    const tooMany = subscriptionsProblem({ count: watched.length, bytes }, limits);
    if (tooMany !== null) return { httpStatus: 200, code: ErrorCode.invalidParams, message: tooMany };
    const problems = [
      ...resourceSubscriptions.map((uri) => nameProblem('an entry of resourceSubscriptions', uri, limits.maxUriLength)),
      ...taskIds.map((id) => nameProblem('an entry of taskIds', id, limits.maxIdLength)),
    ];
    return problems.find((problem) => problem !== null) ?? null;
  }

  /** Returns the part of the client's filter that will be honoured, apart from tasks. */
  private honoured(requested: Filter, caller: C): Filter {
    const { protocol } = this.options;
    const { tools, prompts, resources }: ServerCapabilities = protocol.serverOptions.capabilities ?? {};
    const uris = resources?.subscribe ? (requested.resourceSubscriptions ?? []) : [];
    const resourceSubscriptions = uris.filter((uri) => protocol.mayWatch(caller, uri));
    return {
      ...(requested.toolsListChanged && tools?.listChanged && { toolsListChanged: true }),
      ...(requested.promptsListChanged && prompts?.listChanged && { promptsListChanged: true }),
      ...(requested.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true }),
      ...(resourceSubscriptions.length > 0 && { resourceSubscriptions }),
    };
  }
}

/** Returns the refusal for a client that asks to follow tasks without having declared the extension; else null. */
function undeclaredProblem({ taskIds }: Filter, { extensions }: ClientCapabilities): WireError | null {
  return taskIds && extensions?.[TASKS_EXTENSION] === undefined ? tasksNotDeclared('Following tasks') : null;
}

/** Returns what the client can do, from the envelope of its request, which has been checked. */
function capabilitiesOf({ params }: JSONRPCRequest): ClientCapabilities {
  return params?.['_meta']?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

function acknowledgement<C extends Caller>({ filter, meta }: ListenStream<C>): string {
  const method = 'notifications/subscriptions/acknowledged';
  return JSON.stringify({ jsonrpc: '2.0', method, params: { notifications: filter, _meta: meta } });
}

function readFilter(value: unknown): Filter | null {
  if (!isObject(value)) return null;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions, taskIds } = value;
  const flags = { toolsListChanged, promptsListChanged, resourcesListChanged };
  if (Object.values(flags).some((flag) => flag !== undefined && typeof flag !== 'boolean')) return null;
  const lists = { resourceSubscriptions, taskIds };
  if (Object.values(lists).some((list) => list !== undefined && !isStringArray(list))) return null;
  return { ...flags, ...lists } as Filter;
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function wants(filter: Filter, { kind }: ListChanged): boolean {
  switch (kind) {
    case 'tools_list_changed':
      return filter.toolsListChanged === true;
    case 'prompts_list_changed':
      return filter.promptsListChanged === true;
    case 'resources_list_changed':
      return filter.resourcesListChanged === true;
  }
}

const INVALID_FILTER: WireError = {
  httpStatus: 200,
  code: ErrorCode.invalidParams,
  message:
    'Invalid params: "notifications" must be an object with any of toolsListChanged, promptsListChanged, ' +
    'resourcesListChanged (booleans), resourceSubscriptions (an array of URIs) and taskIds (an array of ids)',
};
