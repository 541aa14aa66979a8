import { ADMIN_PASSWORD } from './service.js';

/** Sends an admin request to a service in another process, and returns the body of the response. */
export async function adminRequest(port: number, method: string, path: string, body?: object) {
  const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  const response = await fetch(`http://127.0.0.1:${port}/admin/api/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return JSON.parse((await response.text()) || '{}') as Record<string, unknown>;
}
