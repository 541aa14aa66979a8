import { createApp } from '../../src/app.setup.js';
import { UnhandledErrors } from '../../src/platform/telemetry/unhandled-errors.service.js';
import { CrashFixturesModule } from './crash-fixtures.module.js';

/** The service, with skills that record their executions. */
const app = await createApp({ imports: [CrashFixturesModule] });
app.get(UnhandledErrors).watch();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
