import type { ServerResponse } from 'node:http';
import {
  type JSONRPCRequest,
  SERVER_INFO_META_KEY,
  type ServerCapabilities,
  SUBSCRIPTION_ID_META_KEY,
  type SubscriptionFilter,
} from '@modelcontextprotocol/server';
import { changeNotification } from './change-notification.js';
import type { Caller, EndpointOptions } from './endpoint-options.js';
import { type KeepAlive, writeComment, writeEvent } from './event-stream.js';
import { EVENT_STREAM_HEADERS, sendError } from './http.js';
import { ErrorCode, isObject, type WireError } from './json-rpc.js';
import type { OpenStream, Program } from './program.js';
import type { ChangeEvent } from './storage.js';

/** More would exhaust the process's sockets before its memory. */
const MAX_STREAMS = 10_000;

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
  meta: { [SUBSCRIPTION_ID_META_KEY]: string | number };
}

/** The open `subscriptions/listen` streams (specification 2026-07-28, basic/patterns/subscriptions). */
export class ListenStreams<C extends Caller> {
  private readonly streams = new Set<ListenStream>();

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly keepAlive: KeepAlive,
  ) {}

  get count(): number {
    return this.streams.size;
  }

  openStreams(): OpenStream[] {
    return [...this.streams].map(({ client, program }) => ({ caller: client, program, sessionId: null }));
  }

  async open({ message, caller, program, res }: ListenRequest<C>): Promise<void> {
    const requested = readFilter(message.params?.['notifications']);
    if (!requested) return sendError(res, INVALID_FILTER, message.id);
    if (this.streams.size >= MAX_STREAMS) return sendError(res, TOO_MANY_STREAMS, message.id, { 'Retry-After': '30' });
    const filter = await this.honoured(requested, caller);
    const stream: ListenStream = {
      res,
      client: caller.name,
      program,
      filter,
      meta: { [SUBSCRIPTION_ID_META_KEY]: message.id },
    };
    res.writeHead(200, EVENT_STREAM_HEADERS);
    writeEvent(res, acknowledgement(stream));
    const stopKeepAlive = this.keepAlive.add(() => writeComment(res));
    this.streams.add(stream);
    res.on('close', () => {
      stopKeepAlive();
      this.streams.delete(stream);
    });
  }

  broadcast(event: ChangeEvent): void {
    for (const { res, filter, meta } of this.streams) {
      if (matches(filter, event)) writeEvent(res, changeNotification(event, meta));
    }
  }

  /** Ends the streams of one client, or of all, each with the result that says it was on purpose. */
  close(client?: string): void {
    for (const stream of this.streams) {
      if (client !== undefined && stream.client !== client) continue;
      const _meta = { ...stream.meta, [SERVER_INFO_META_KEY]: this.options.serverInfo };
      const id = stream.meta[SUBSCRIPTION_ID_META_KEY];
      writeEvent(stream.res, JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } }));
      stream.res.end();
    }
  }

  private async honoured(requested: SubscriptionFilter, caller: C): Promise<SubscriptionFilter> {
    const { tools, prompts, resources }: ServerCapabilities = this.options.serverOptions.capabilities ?? {};
    const uris = resources?.subscribe ? (requested.resourceSubscriptions ?? []) : [];
    const allowed = await Promise.all(uris.map((uri) => this.mayWatch(caller, uri)));
    const resourceSubscriptions = uris.filter((_, index) => allowed[index]);
    return {
      ...(requested.toolsListChanged && tools?.listChanged && { toolsListChanged: true }),
      ...(requested.promptsListChanged && prompts?.listChanged && { promptsListChanged: true }),
      ...(requested.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true }),
      ...(resourceSubscriptions.length > 0 && { resourceSubscriptions }),
    };
  }

  private mayWatch(caller: C, uri: string): Promise<boolean> {
    return this.options.assertMayWatch(caller, uri).then(
      () => true,
      () => false,
    );
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

function matches(filter: SubscriptionFilter, event: ChangeEvent): boolean {
  switch (event.kind) {
    case 'tools_list_changed':
      return filter.toolsListChanged === true;
    case 'prompts_list_changed':
      return filter.promptsListChanged === true;
    case 'resources_list_changed':
      return filter.resourcesListChanged === true;
    case 'resource_updated':
      return filter.resourceSubscriptions?.includes(event.uri) === true;
  }
}

const INVALID_FILTER: WireError = {
  httpStatus: 200,
  code: ErrorCode.invalidParams,
  message:
    'Invalid params: "notifications" must be an object with any of toolsListChanged, promptsListChanged, ' +
    'resourcesListChanged (booleans) and resourceSubscriptions (an array of URIs)',
};

const TOO_MANY_STREAMS: WireError = {
  httpStatus: 503,
  code: ErrorCode.refused,
  message: 'Too many open streams: close some, or try again later',
};
