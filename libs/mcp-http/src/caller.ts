import type { ServerResponse } from 'node:http';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { InFlight } from '#in-flight';

/** The authenticated caller, as the host's guard identifies it: at least a name. */
export interface Caller {
  readonly name: string;
  /** The key that the caller used, if it has several; null or absent when it has only one. */
  readonly origin?: { readonly key: string | null };
}

/** Whose requests, streams and sessions to end: all of a caller's, or only those of one key. */
export interface Revocation {
  readonly client: string;
  readonly key?: string | undefined; // undefined = all of its keys
}

/** Returns the key of a caller that has several; null when it has only one. */
export const keyOf = (caller: Caller): string | null => caller.origin?.key ?? null;

/** Returns whether a cut-off covers this caller and its key. */
export const isRevoked = (caller: Caller, { client, key }: Revocation): boolean =>
  caller.name === client && (key === undefined || keyOf(caller) === key);

/** The program that sends a caller's requests, as it names itself: an assistant, an editor, a script. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
}

/** A stream, open in this process, over which the service notifies a program of changes. */
export interface OpenStream {
  /** Name of the caller that opened it. */
  caller: string;
  program: Program;
  sessionId: string | null; // null = a `subscriptions/listen` stream, which has no session
}

/** What the endpoint knows about a request beyond its caller. */
export interface RequestSource {
  program: Program;
  sessionId: string | null; // null = the protocol version has no sessions
}

/** Converts a caller to the SDK's form, which request handlers receive. */
export const authInfoOf = (caller: Caller): AuthInfo => ({
  token: '',
  clientId: caller.name,
  scopes: [],
  extra: { caller },
});

/** Returns the caller of the request that a handler serves. @throws TypeError outside a request */
export function callerOf<C extends Caller>(ctx: ServerContext): C {
  const caller = ctx.http?.authInfo?.extra?.['caller'];
  if (!caller) throw new TypeError('this handler was not called through an McpEndpoint');
  return caller as C;
}

/** Returns the instructions for the sender of a request; undefined outside a request, or when all get the same. */
export const instructionsBy =
  <C extends Caller>(protocol: { instructionsFor?(caller: C): string }) =>
  (ctx: ServerContext): string | undefined => {
    const caller = ctx.http?.authInfo?.extra?.['caller'] as C | undefined;
    return caller && protocol.instructionsFor?.(caller);
  };

/** Programs choose these texts: this length is enough to distinguish them. */
const LONGEST = 200;

/** @param clientInfo the `clientInfo` received; non-text members count as unknown */
export function toProgram(clientInfo: unknown, protocolVersion: string): Program {
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  return {
    name: typeof name === 'string' ? cut(name) : 'unknown',
    version: typeof version === 'string' ? cut(version) : 'unknown',
    protocolVersion,
  };
}

// Programs are cached, and a slice would keep the whole text in memory: hence the copy.
const cut = (text: string): string => (text.length <= LONGEST ? text : Buffer.from(text.slice(0, LONGEST)).toString());

/**
 * The authenticated requests that are not yet a call or a stream: their body is arriving, or their session is being read. They
 * must not start a call or a stream after their key has been revoked.
 */
export class RequestsInProgress {
  private readonly started = new InFlight<{ res: ServerResponse; caller: Caller }>();
  private readonly ended = new WeakSet<ServerResponse>();

  get count(): number {
    return this.started.size;
  }

  /** Returns the number to pass to `end`. */
  begin(res: ServerResponse, caller: Caller): number {
    return this.started.add({ res, caller });
  }

  end(number: number): void {
    this.started.delete(number);
  }

  revoke(whose: Revocation): void {
    for (const { item } of this.started) if (isRevoked(item.caller, whose)) this.ended.add(item.res);
  }

  /** Returns whether the key of a request has been revoked since it arrived. */
  isRevoked(res: ServerResponse): boolean {
    return this.ended.has(res);
  }
}
