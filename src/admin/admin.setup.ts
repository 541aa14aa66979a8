import type { INestApplication } from '@nestjs/common';
import { OpenApi } from './open-api/open-api.service.js';

/** What the admin door needs of the complete application. */
export function setupAdmin(app: INestApplication): void {
  app.get(OpenApi).describe(app);
}
