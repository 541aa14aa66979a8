import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { requireBearer } from './bearer.mjs';
import { answer, tools } from './tools.mjs';

/** The SDK as its documentation shows it: MODE is `handler` (2026-07-28) or `session` (2025 era). */
const app = express();
app.use('/mcp', requireBearer);
app.use(express.json());
app.post('/mcp', process.env.MODE === 'handler' ? handler() : sessions());
app.listen(Number(process.env.PORT), '127.0.0.1');

function createServer() {
  const server = new McpServer({ name: 'sdk', version: '1.0.0' });
  for (const { name, description, parameters } of tools) {
    server.registerTool(name, { description, inputSchema: parameters }, answer);
  }
  return server;
}

function handler() {
  const handle = toNodeHandler(createMcpHandler(() => createServer()));
  return (request, response) => handle(request, response, request.body);
}

function sessions() {
  const transports = new Map();
  return async (request, response) => {
    const known = transports.get(request.headers['mcp-session-id']);
    if (known) return known.handleRequest(request, response, request.body);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    await createServer().connect(transport);
    await transport.handleRequest(request, response, request.body);
  };
}
