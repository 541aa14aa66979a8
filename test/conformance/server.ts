import { createApp } from '../../src/app.setup.js';
import { ConformanceFixturesModule } from './fixtures/conformance-fixtures.module.js';

/** The service as shipped, plus the fixtures that the conformance suites call. */
const app = await createApp({ imports: [ConformanceFixturesModule] });
await app.listen(Number(process.env['PORT']), process.env['HOST'] ?? '127.0.0.1');
