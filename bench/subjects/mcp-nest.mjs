import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { requireBearer } from './bearer.mjs';
import { answer, tools } from './tools.mjs';

/** MCP-Nest: MODE is `session` or `stateless` (2025 era), or `modern` (2026-07-28). */
const strategy = new McpStrategy({
  name: 'mcp-nest',
  version: '1.0.0',
  logging: false,
  transports: [
    new StreamableHttpTransport({
      statefulMode: process.env.MODE === 'session',
      ...(process.env.MODE === 'modern' && { protocol: 'modern-only' }),
    }),
  ],
});

class ToolsController {}
for (const tool of tools) {
  Object.defineProperty(ToolsController.prototype, tool.name, {
    value: () => answer(),
    writable: true,
    configurable: true,
  });
  const descriptor = Object.getOwnPropertyDescriptor(ToolsController.prototype, tool.name);
  Tool(tool)(ToolsController.prototype, tool.name, descriptor);
}
McpController()(ToolsController);

class AppModule {}
Module({ controllers: [ToolsController] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
app.use('/mcp', requireBearer);
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(Number(process.env.PORT), '127.0.0.1');
