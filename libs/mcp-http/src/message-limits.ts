import { isStorable, storableValue } from '#bounded-json';
import type { EndpointLimits } from './endpoint-options.js';
import { ErrorCode, type InboundMessage, isObject, type JsonObject, type WireError } from './json-rpc.js';
import { initializeTooLarge, refused } from './refusals.js';

/**
 * Returns what is wrong with a JSON-RPC message: a name in it is too long, or has characters that cannot be stored. Null
 * when it may pass. `bytes` is the size of the body that it came in.
 */
export function messageProblem(
  { kind, message }: InboundMessage,
  limits: EndpointLimits,
  bytes: number,
): WireError | null {
  const { maxIdLength, maxInitializeBytes } = limits;
  if (kind !== 'notification' && isTooLong(message.id, maxIdLength)) return tooLong('id', maxIdLength);
  if (kind === 'response') return null;
  if (isTooLong(message.method, maxIdLength)) return tooLong('method', maxIdLength);
  if (message.method === 'initialize' && bytes > maxInitializeBytes) {
    return initializeTooLarge(bytes, maxInitializeBytes);
  }
  return message.params ? paramsProblem(message.params, limits) : null;
}

/** Returns the message without the characters in its params or result that cannot be stored: NUL and half characters. */
export function storableMessage(inbound: InboundMessage): InboundMessage {
  if (inbound.kind === 'notification') return inbound;
  if (inbound.kind === 'request') {
    const { message } = inbound;
    // `_meta` holds what answers repeat, so it stays as it is.
    const { _meta, ...params } = message.params ?? {};
    const cleaned = { ...(storableValue(params) as JsonObject), ...(_meta && { _meta }) };
    return { kind: 'request', message: { ...message, ...(message.params && { params: cleaned }) } };
  }
  const { message } = inbound;
  if (!('result' in message)) return inbound;
  return { kind: 'response', message: { ...message, result: storableValue(message.result) as JsonObject } };
}

function paramsProblem(params: JsonObject, { maxIdLength, maxUriLength }: EndpointLimits): WireError | null {
  const { _meta, uri, name, cursor, ref, taskId } = params;
  if (_meta !== undefined && isTooLong((_meta as JsonObject)['progressToken'], maxIdLength)) {
    return tooLong('params._meta.progressToken', maxIdLength);
  }
  return (
    nameProblem('params.name', name, maxIdLength) ??
    nameProblem('params.taskId', taskId, maxIdLength) ??
    nameProblem('params.uri', uri, maxUriLength) ??
    nameProblem('params.cursor', cursor, maxUriLength) ??
    (ref === undefined ? null : completionProblem(params, { maxIdLength, maxUriLength }))
  );
}

/** In `completion/complete`, the names are one level deeper than in other methods. */
function completionProblem(
  { ref, argument }: JsonObject,
  { maxIdLength, maxUriLength }: Pick<EndpointLimits, 'maxIdLength' | 'maxUriLength'>,
): WireError | null {
  const { name, uri } = isObject(ref) ? ref : {};
  const { name: variable, value } = isObject(argument) ? argument : {};
  return (
    nameProblem('params.ref.name', name, maxIdLength) ??
    nameProblem('params.ref.uri', uri, maxUriLength) ??
    nameProblem('params.argument.name', variable, maxIdLength) ??
    nameProblem('params.argument.value', value, maxUriLength)
  );
}

/** Returns what is wrong with a name; null when it may pass. A name of another type is refused later, by the method's schema. */
export function nameProblem(where: string, value: unknown, maxLength: number): WireError | null {
  if (typeof value !== 'string') return null;
  if (value.length > maxLength) return tooLong(where, maxLength, ErrorCode.invalidParams);
  if (isStorable(value)) return null;
  return refused(
    400,
    `${where} holds NUL or half of a character (a lone surrogate). Send it without`,
    ErrorCode.invalidParams,
  );
}

const isTooLong = (value: unknown, maxLength: number): boolean => typeof value === 'string' && value.length > maxLength;

const tooLong = (where: string, maxLength: number, code: number = ErrorCode.invalidRequest) =>
  refused(400, `${where} is too long: the limit is ${maxLength} characters. Send a shorter one`, code);
