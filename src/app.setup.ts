import 'reflect-metadata';
import { createServer, type RequestListener } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { type INestApplication, type ModuleMetadata, ShutdownSignal } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { AdminPassword } from './access/accounts/admin-password.service.js';
import { OAuthAddresses } from './access/clients/oauth-addresses.service.js';
import { ClientsService } from './access/clients/clients.service.js';
import { StraightWay } from './entrypoints/mcp/straight-way.js';
import { setupAdmin } from './entrypoints/admin/open-api/open-api.controller.js';
import { AppModule } from './app.module.js';
import { SettingsService } from './platform/config/settings.service.js';
import { addressForUsers, Environment } from './platform/environment/environment.js';
import { inOriginForm } from './platform/listening/origin-form.js';
import type { ServicePort } from './platform/listening/service-port.js';
import { TrustedProxies } from './platform/network/trusted-proxies.service.js';
import { UnhandledErrors } from './platform/telemetry/unhandled-errors.service.js';
import { PinoLogger } from './platform/telemetry/pino-logger.service.js';

/**
 * Makes V8 allocate all objects in the young generation. By default, once many objects of an allocation site have survived, such as those
 * of open streams, V8 allocates further ones in the old generation, where each request keeps what it references until the next major
 * garbage collection. With 1,000 open streams, a call took 33 to 90 % more CPU.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

export interface AppOptions {
  /** Additional modules, such as modules with skills. */
  imports?: NonNullable<ModuleMetadata['imports']>;
  /** The open port; without it, `listen` opens one. */
  port?: ServicePort;
}

/** Creates the application, ready to listen: for the service and for its end-to-end tests. */
export async function createApp({ imports = [], port }: AppOptions = {}): Promise<NestExpressApplication> {
  const adapter = new ServiceAdapter(port ?? null);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(imports), adapter, {
    // The MCP endpoint and the admin API read bodies themselves.
    bodyParser: false,
    bufferLogs: true,
    // If the start fails, one sentence says why; Nest's log would hide it.
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
  adapter.listener = inOriginForm(app.get(StraightWay).before(adapter.getInstance<RequestListener>()));
  app.enableShutdownHooks([ShutdownSignal.SIGTERM, ShutdownSignal.SIGINT], { useProcessExit: true });
  const server = app.getHttpServer();
  // Proxies in front keep idle connections for 60 s. Closing earlier would race with their next request.
  server.keepAliveTimeout = 75_000;
  // Limits how long a client may take to send a request, not how long the response takes.
  server.requestTimeout = 60_000;
  server.headersTimeout = 30_000;
  return app;
}

export async function startService(port: ServicePort): Promise<void> {
  const app = await createApp({ port });
  app.get(UnhandledErrors).watch();
  await app.init();
  const key = await generateFirstKey(app);
  port.serve((app.getHttpAdapter() as ServiceAdapter).listener);
  printBanner(app, key);
}

/** Generates an API key at the first start, if none is configured; otherwise returns null. Only the first start generates a password. */
async function generateFirstKey(app: INestApplication): Promise<string | null> {
  if (app.get(AdminPassword).generated === null || app.get(ClientsService).isConfigured()) return null;
  return app.get(SettingsService).generate('mcp.api_key');
}

/** Prints the addresses of the service and the next step. The title was printed when the start began. */
function printBanner(app: INestApplication, key: string | null): void {
  const url = addressForUsers(app.get(Environment));
  const { generated } = app.get(AdminPassword);
  const endpoint = app.get(OAuthAddresses, { strict: false }).endpoint();
  const claude = `claude mcp add --transport http --scope user agent ${url}/mcp --header "Authorization: Bearer ${key}"`;
  const lines = [
    `  MCP endpoint  ${url}/mcp`,
    ...(endpoint ? [`  To sign in    ${endpoint}`] : []),
    `  Admin         ${url}/admin`,
    ...(generated ? [`  Password      ${generated}   (user admin; shown this once)`] : []),
    ...(key ? [`  API key       ${key}   (shown this once)`, `  Claude Code   ${claude}`] : []),
    app.get(ClientsService).isConfigured()
      ? '  Next          connect a client with "Authorization: Bearer <API key>" and call system_info'
      : endpoint
        ? '  Next          add the address to sign in to a program, log in there, and call system_info'
        : '  Next          no API key yet: set one in the admin interface, or start with MCP_API_KEY=<key>',
  ];
  console.log(`${lines.join('\n')}\n`);
}

/** Express, with the listener that comes before it, on an open port or on its own. */
class ServiceAdapter extends ExpressAdapter {
  listener: RequestListener = this.getInstance<RequestListener>();

  constructor(private readonly port: ServicePort | null) {
    super();
  }

  override initHttpServer(): void {
    this.setHttpServer(this.port?.server ?? createServer((req, res) => this.listener(req, res)));
  }

  /** Nest awaits it before it closes any part of the application. */
  // eslint-disable-next-line @typescript-eslint/no-misused-promises
  override async beforeClose(): Promise<void> {
    await this.port?.handOver();
  }

  override async close(): Promise<void> {
    await (this.port?.close() ?? super.close());
  }
}
