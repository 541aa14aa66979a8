import { type JSONRPCResponse, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { ErrorCode, errorMessage, isObject } from './json-rpc.js';

const SETTING = 'mcp.max_result_bytes';

interface Room {
  most: number;
  /** Bytes that earlier answers to the same batch have used. */
  used: number;
}

/** Returns the answer to a request of this method as JSON; an error instead when it is too large or is no JSON. */
export function answerText(message: JSONRPCResponse, method: string, { most, used }: Room): string {
  const text = asJson(message);
  if (text === null) return JSON.stringify(errorMessage(idOf(message), UNWRITABLE));
  // No character takes more than three bytes, so most answers need not be measured.
  if (used + text.length * 3 <= most) return text;
  const bytes = Buffer.byteLength(text);
  if (used + bytes <= most) return text;
  const together = used > 0 ? ' for all answers to a batch' : '';
  return JSON.stringify(tooLarge(message, method, `${bytes} bytes of JSON, the limit is ${most}${together}`));
}

function tooLarge(message: JSONRPCResponse, method: string, size: string): object {
  const problem = `The result is too large: ${size} (setting ${SETTING})`;
  if (method !== 'tools/call' || !('result' in message)) {
    return errorMessage(idOf(message), {
      httpStatus: 200,
      code: ErrorCode.refused,
      message: `${problem}. Ask for less`,
    });
  }
  const { resultType, _meta } = message.result;
  const text = `${problem}. Ask for less at once, or have the administrator raise ${SETTING}.`;
  const serverInfo = isObject(_meta) ? _meta[SERVER_INFO_META_KEY] : undefined;
  return {
    jsonrpc: '2.0',
    id: message.id,
    result: {
      ...(resultType !== undefined && { resultType: 'complete' }),
      content: [{ type: 'text', text }],
      isError: true,
      ...(serverInfo !== undefined && { _meta: { [SERVER_INFO_META_KEY]: serverInfo } }),
    },
  };
}

function asJson(message: JSONRPCResponse): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}

const idOf = ({ id }: JSONRPCResponse) => id ?? null;

const UNWRITABLE = {
  httpStatus: 200,
  code: ErrorCode.internalError,
  message: 'Internal error: the result cannot be written as JSON',
};
