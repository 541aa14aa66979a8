import { ADMIN_PASSWORD, type TestService } from './service.js';

export interface AdminAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Sends requests to the admin API in the name of `admin`, as scripts do. */
export function adminOf(service: Pick<TestService, 'origin'>) {
  const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  return async (method: string, path: string, body?: object): Promise<AdminAnswer> => {
    const res = await fetch(`${service.origin}/admin/api/${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await res.text();
    return { status: res.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };
}
