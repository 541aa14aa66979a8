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

/** What a program calls itself comes from outside: enough to tell programs apart. */
const LONGEST = 200;

/** @param clientInfo what came as `clientInfo`, if anything */
export function toProgram(clientInfo: unknown, protocolVersion: string): Program {
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  return {
    name: typeof name === 'string' ? cut(name) : 'unknown',
    version: typeof version === 'string' ? cut(version) : 'unknown',
    protocolVersion,
  };
}

// A copy: what `slice` returns keeps the whole text in memory, and programs are remembered.
const cut = (text: string): string => (text.length <= LONGEST ? text : Buffer.from(text.slice(0, LONGEST)).toString());
