/** Calls a tool in the protocol version 2026-07-28, and returns the result. */
export async function callTool(origin: string, key: string, name: string, args: object): Promise<unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
  return result;
}
