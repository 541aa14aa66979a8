/** Returns the headers and the body of a request in the protocol version 2026-07-28. */
export function statelessMessage(
  key: string,
  method: string,
  { _meta, ...params }: Readonly<Record<string, unknown>> = {},
  id: number | string = 1,
): { headers: Record<string, string>; body: string } {
  const name = params['name'] ?? params['uri'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(_meta as object | undefined),
  };
  return {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
  };
}

/** POSTs such a request to the endpoint of a service. */
export const sendStateless = (
  origin: string,
  key: string,
  method: string,
  params?: Readonly<Record<string, unknown>>,
): Promise<Response> => fetch(`${origin}/mcp`, { method: 'POST', ...statelessMessage(key, method, params) });

/** Reads the answer to a request; on a busy machine, it comes as an event stream with keep-alives. */
export async function answerIn<Answer = Record<string, unknown>>(res: Response): Promise<Answer> {
  const text = await res.text();
  return JSON.parse(text.slice(text.indexOf('{'))) as Answer;
}

/** Calls a tool in the protocol version 2026-07-28, and returns the result. */
export async function callTool(origin: string, key: string, name: string, args: object): Promise<unknown> {
  const response = await sendStateless(origin, key, 'tools/call', { name, arguments: args });
  const { result, error } = await answerIn<{ result?: unknown; error?: unknown }>(response);
  if (error) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
  return result;
}
