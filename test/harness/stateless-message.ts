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
