// Writes libs/admin-ui/src/api/schema.d.ts from the OpenAPI document of the service.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const TARGET = new URL('../libs/admin-ui/src/api/schema.d.ts', import.meta.url);

writeFileSync(TARGET, astToString(await openapiTS(await readDocument())));

async function readDocument() {
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-ui-'));
  Object.assign(process.env, { DATA_DIR: dataDir, ADMIN_PASSWORD: 'never-used', LOG_LEVEL: 'silent' });
  const { createApp } = await import('../dist/src/app.setup.js');
  const { OpenApi } = await import('../dist/src/entrypoints/admin/open-api/open-api.controller.js');
  const app = await createApp();
  await app.init();
  const document = app.get(OpenApi).document();
  await app.close();
  rmSync(dataDir, { recursive: true });
  // The document contains instances of classes; the parser expects plain JSON.
  return JSON.parse(JSON.stringify(document));
}
