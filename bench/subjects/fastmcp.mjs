import { FastMCP } from 'fastmcp';
import { isAuthorized } from './bearer.mjs';
import { answer, tools } from './tools.mjs';

/** FastMCP: MODE is `session` or `stateless`; it speaks the 2025 era only. */
const server = new FastMCP({
  name: 'fastmcp',
  version: '1.0.0',
  authenticate: async (request) => {
    if (!isAuthorized(request)) throw new globalThis.Response(null, { status: 401 });
    return {};
  },
});
for (const tool of tools) server.addTool({ ...tool, execute: async () => answer() });

await server.start({
  transportType: 'httpStream',
  httpStream: { port: Number(process.env.PORT), host: '127.0.0.1', stateless: process.env.MODE === 'stateless' },
});
