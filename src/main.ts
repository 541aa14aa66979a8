import { createApp } from './app.setup.js';
import { printBanner } from './banner.js';
import { Environment } from './environment/environment.js';
import { startupProblemOf } from './startup-problem.js';
import { EscapedErrors } from './telemetry/escaped-errors.service.js';

try {
  const app = await createApp();
  app.get(EscapedErrors).watch();
  const { PORT, HOST } = app.get(Environment);
  await app.listen(PORT, HOST);
  printBanner(app);
} catch (error) {
  console.error(startupProblemOf(error));
  process.exit(1);
}
