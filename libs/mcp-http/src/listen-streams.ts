import type { ServerResponse } from 'node:http';
import {
  type JSONRPCRequest,
  SERVER_INFO_META_KEY,
  type ServerCapabilities,
  SUBSCRIPTION_ID_META_KEY,
  type SubscriptionFilter,
} from '@modelcontextprotocol/server';
import type { Caller, OpenStream, Program } from './caller.js';
import { type ChangeEvent, changeNotificationWith } from './change.js';
import type { EndpointOptions } from './endpoint-options.js';
import { EVENT_STREAM_HEADERS, type EventStreams } from './event-stream.js';
import { ErrorCode, isObject, type WireError } from './json-rpc.js';
import { nameProblem } from './message-limits.js';
import type { Quota } from './quota.js';
import { RETRY_LATER, subscriptionsProblem } from './refusals.js';
import { sendError } from './responses.js';

interface ListenRequest<C extends Caller> {
  message: JSONRPCRequest;
  caller: C;
  program: Program;
  res: ServerResponse;
}

interface ListenStream {
  res: ServerResponse;
  client: string;
  program: Program;
  filter: SubscriptionFilter;
  watched: ReadonlySet<string>;
  meta: { [SUBSCRIPTION_ID_META_KEY]: string | number };
  metaJson: string;
}

/** The `subscriptions/listen` streams that are open (specification 2026-07-28, basic/patterns/subscriptions). */
export class ListenStreams<C extends Caller> {
  private readonly streams = new Set<ListenStream>();

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly events: EventStreams,
    private readonly streamQuota: Quota,
  ) {}

  get count(): number {
    return this.streams.size;
  }

  openStreams(): OpenStream[] {
    return [...this.streams].map(({ client, program }) => ({ caller: client, program, sessionId: null }));
  }

  open({ message, caller, program, res }: ListenRequest<C>): void {
    const requested = readFilter(message.params?.['notifications']);
    if (!requested) return sendError(res, INVALID_FILTER, message.id);
    const problem = this.problemOf(requested);
    if (problem) return sendError(res, problem, message.id);
    const refusal = this.streamQuota.refusal(caller.name);
    if (refusal) return sendError(res, refusal, message.id, RETRY_LATER);
    this.streamQuota.addUntilClosed(caller.name, res);
    const filter = this.honoured(requested, caller);
    const meta = { [SUBSCRIPTION_ID_META_KEY]: message.id };
    const stream: ListenStream = {
      res,
      client: caller.name,
      program,
      filter,
      watched: new Set(filter.resourceSubscriptions),
      meta,
      metaJson: JSON.stringify(meta),
    };
    res.writeHead(200, EVENT_STREAM_HEADERS);
    this.events.event(res, acknowledgement(stream));
    const stopKeepAlive = this.events.keepAlive.add(() => this.events.comment(res));
    this.streams.add(stream);
    res.on('close', () => {
      stopKeepAlive();
      this.streams.delete(stream);
    });
  }

  broadcast(event: ChangeEvent): void {
    const notification = changeNotificationWith(event);
    for (const stream of this.streams) {
      if (matches(stream, event)) this.events.event(stream.res, notification(stream.metaJson));
    }
  }

  /** Ends the streams of one client, or of all clients. The last message of each says that it ends on purpose. */
  close(client?: string): void {
    for (const stream of this.streams) {
      if (client !== undefined && stream.client !== client) continue;
      const _meta = { ...stream.meta, [SERVER_INFO_META_KEY]: this.options.protocol.serverInfo };
      const id = stream.meta[SUBSCRIPTION_ID_META_KEY];
      this.events.event(stream.res, JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } }));
      stream.res.end();
    }
  }

  private problemOf({ resourceSubscriptions = [] }: SubscriptionFilter): WireError | null {
    const limits = this.options.limits();
    const bytes = resourceSubscriptions.reduce((sum, uri) => sum + uri.length, 0);
    const tooMany = subscriptionsProblem({ count: resourceSubscriptions.length, bytes }, limits);
    if (tooMany !== null) return { httpStatus: 200, code: ErrorCode.invalidParams, message: tooMany };
    const problems = resourceSubscriptions.map((uri) =>
      nameProblem('an entry of resourceSubscriptions', uri, 'mcp.max_uri_length', limits.maxUriLength),
    );
    return problems.find((problem) => problem !== null) ?? null;
  }

  /** Returns the part of the client's filter that will be honoured. */
  private honoured(requested: SubscriptionFilter, caller: C): SubscriptionFilter {
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

function acknowledgement({ filter, meta }: ListenStream): string {
  const method = 'notifications/subscriptions/acknowledged';
  return JSON.stringify({ jsonrpc: '2.0', method, params: { notifications: filter, _meta: meta } });
}

function readFilter(value: unknown): SubscriptionFilter | null {
  if (!isObject(value)) return null;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = value;
  const flags = { toolsListChanged, promptsListChanged, resourcesListChanged };
  if (Object.values(flags).some((flag) => flag !== undefined && typeof flag !== 'boolean')) return null;
  if (resourceSubscriptions !== undefined && !isStringArray(resourceSubscriptions)) return null;
  return { ...flags, resourceSubscriptions } as SubscriptionFilter;
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function matches({ filter, watched }: ListenStream, event: ChangeEvent): boolean {
  switch (event.kind) {
    case 'tools_list_changed':
      return filter.toolsListChanged === true;
    case 'prompts_list_changed':
      return filter.promptsListChanged === true;
    case 'resources_list_changed':
      return filter.resourcesListChanged === true;
    case 'resource_updated':
      return watched.has(event.uri);
  }
}

const INVALID_FILTER: WireError = {
  httpStatus: 200,
  code: ErrorCode.invalidParams,
  message:
    'Invalid params: "notifications" must be an object with any of toolsListChanged, promptsListChanged, ' +
    'resourcesListChanged (booleans) and resourceSubscriptions (an array of URIs)',
};
