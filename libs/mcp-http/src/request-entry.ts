import type { JSONRPCRequest, MessageExtraInfo, Server } from '@modelcontextprotocol/server';

export type RequestEntry = (message: JSONRPCRequest, extra: MessageExtraInfo) => void;

/**
 * The SDK's own handling of a request. Its public entry, `Transport.onmessage`, first tries whether the message is a
 * response, which costs more than all the rest, and here the answer is known. The method is private in the SDK's types, so
 * it is looked up by name; null where a release does not have it: then the public entry serves.
 */
export function requestEntryOf(server: Server): RequestEntry | null {
  const entry: unknown = Reflect.get(server, '_onrequest');
  if (typeof entry !== 'function') return null;
  return (message, extra) => void Reflect.apply(entry, server, [message, extra]);
}
