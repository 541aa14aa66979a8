import { createApp } from './app.setup.js';
import { printBanner } from './banner.js';
import type { ServicePort } from './listening/service-port.js';
import { EscapedErrors } from './telemetry/escaped-errors.service.js';

/** Starts the service on a port that is open already. */
export async function startService(port: ServicePort): Promise<void> {
  const app = await createApp({ port });
  app.get(EscapedErrors).watch();
  await app.init();
  port.serve(app.getHttpAdapter().getInstance());
  printBanner(app);
}
