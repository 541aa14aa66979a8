import 'reflect-metadata';
import { type ModuleMetadata, ShutdownSignal } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setupAdmin } from './admin/open-api/open-api.service.js';
import { AppModule } from './app.module.js';
import { TrustedProxies } from './network/trusted-proxies.service.js';
import { PinoLogger } from './telemetry/pino-logger.service.js';

export interface AppOptions {
  /** Additional modules, such as modules with skills. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

/** Creates the application, ready to listen. The service and its end-to-end tests share it. */
export async function createApp({ imports = [] }: AppOptions = {}): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(imports), {
    // The MCP endpoint and the admin API read bodies themselves.
    bodyParser: false,
    bufferLogs: true,
    // When it cannot start, one sentence says why; what Nest logged until then would hide it.
    autoFlushLogs: false,
    abortOnError: false,
  });
  app.useLogger(app.get(PinoLogger));
  app.flushLogs();
  app.disable('x-powered-by');
  app.disable('etag');
  const proxies = app.get(TrustedProxies);
  app.set('trust proxy', (address: string, hop: number) => proxies.isTrusted(address, hop));
  setupAdmin(app);
  app.enableShutdownHooks([ShutdownSignal.SIGTERM, ShutdownSignal.SIGINT], { useProcessExit: true });
  const server = app.getHttpServer();
  // Proxies in front keep idle connections for 60 s. Closing earlier would race with their next request.
  server.keepAliveTimeout = 75_000;
  // The time for sending a request. The answer may take longer.
  server.requestTimeout = 60_000;
  server.headersTimeout = 30_000;
  return app;
}
