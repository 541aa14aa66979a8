import 'reflect-metadata';
import { type ModuleMetadata, ShutdownSignal } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setupAdmin } from './admin/open-api/open-api.service.js';
import { AppModule } from './app.module.js';
import { TrustedProxies } from './network/trusted-proxies.service.js';
import { PinoLogger } from './telemetry/pino-logger.service.js';

export interface AppOptions {
  /** Modules beside the service's own, such as those of skills. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

/** The application, ready to listen: the same for the service and for its end-to-end tests. */
export async function createApp({ imports = [] }: AppOptions = {}): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(imports), {
    // The endpoint reads its own bodies; the admin interface has a parser of its own.
    bodyParser: false,
    bufferLogs: true,
    // When it can't start, one sentence says why: what Nest logged until then would hide it.
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
  // A proxy in front keeps its idle connections for 60 s; closing first would race with its next request.
  server.keepAliveTimeout = 75_000;
  // For sending a request; the answer may take as long as it needs.
  server.requestTimeout = 60_000;
  server.headersTimeout = 30_000;
  return app;
}
