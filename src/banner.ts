import type { INestApplication } from '@nestjs/common';
import { AdminPassword } from './admin/auth/admin-password.service.js';
import { ClientsService } from './clients/clients.service.js';
import { Environment } from './environment/environment.js';
import { VERSION } from './service-info/version.js';

/** Prints where the service is and what to do next. */
export function printBanner(app: INestApplication): void {
  const { HOST, PORT, PUBLIC_URL } = app.get(Environment);
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  const url = PUBLIC_URL ?? `http://${host}:${PORT}`;
  const { generated } = app.get(AdminPassword);
  const configured = app.get(ClientsService).isConfigured();
  const lines = [
    `Agent Service ${VERSION}`,
    `  MCP endpoint  ${url}/mcp`,
    `  Admin         ${url}/admin`,
    ...(generated ? [`  Password      ${generated}   (user admin; shown this once)`] : []),
    configured
      ? '  Next          connect a client with "Authorization: Bearer <API key>" and call system_info'
      : `  Next          no API key yet: set one in the admin interface, or start with MCP_API_KEY=<key>`,
  ];
  console.log(`\n${lines.join('\n')}\n`);
}
