import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from './endpoint-options.js';

const infos = new WeakMap<Caller, AuthInfo>();

/** How a caller travels through the SDK to the request handlers. */
export function authInfoOf(caller: Caller): AuthInfo {
  let info = infos.get(caller);
  if (!info) infos.set(caller, (info = { token: '', clientId: caller.name, scopes: [], extra: { caller } }));
  return info;
}

/** The caller of the request that a handler serves. @throws TypeError outside a request */
export function callerOf<C extends Caller>(ctx: ServerContext): C {
  const caller = ctx.http?.authInfo?.extra?.['caller'];
  if (!caller) throw new TypeError('this handler was not called through an McpEndpoint');
  return caller as C;
}
