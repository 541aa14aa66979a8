import { isObject } from './json-rpc.js';

/** The program that sends requests, as it calls itself: an assistant, an editor, a script. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
}

/** A stream over which the service tells a program of changes, open in this process. */
export interface OpenStream {
  /** Name of the caller that opened it. */
  caller: string;
  program: Program;
  sessionId: string | null; // null = a `subscriptions/listen` stream, which has no session
}

/** @param clientInfo what came as `clientInfo`, if anything */
export function toProgram(clientInfo: unknown, protocolVersion: string): Program {
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  return {
    name: typeof name === 'string' ? name : 'unknown',
    version: typeof version === 'string' ? version : 'unknown',
    protocolVersion,
  };
}
