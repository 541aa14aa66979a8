import { TIME_LIMIT_MS } from '../../../api/time-limit';
import { isResponse, type Json, type Message } from '../../../mcp/json-rpc';
import { readMessages } from '../../../mcp/read-messages';

/** One HTTP request to the endpoint. */
export interface Outgoing {
  method: 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: Message;
}

export interface Answer {
  status: number;
  sessionId: string | null;
  /** The JSON-RPC response, from JSON or from a stream; null = none. */
  message: Message | null;
}

export type Send = (outgoing: Outgoing) => Promise<Answer>;

/**
 * Sends requests to the endpoint like an MCP client with this key.
 * @param pass proves that the request comes from a page of the administration; MCP clients need none
 */
export function senderTo(url: string, key: string, pass: string, fetch = globalThis.fetch): Send {
  return async ({ method, headers, body }) => {
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json, text/event-stream',
        'X-Own-Page': pass,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      // An MCP client would not send the cookies of the administrator.
      credentials: 'omit',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const sessionId = response.headers.get('Mcp-Session-Id');
    return { status: response.status, sessionId, message: await findResponse(response) };
  };
}

async function findResponse(response: Response): Promise<Message | null> {
  for await (const message of readMessages(response)) {
    if (isResponse(message)) return message;
  }
  return null;
}

export const request = (id: number, method: string, params: Json): Message => ({ jsonrpc: '2.0', id, method, params });
