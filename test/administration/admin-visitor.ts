import { ADMIN_PASSWORD, type TestService } from '../support/service.js';

export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  code: string;
  headers: Headers;
}

/** Sends an admin request with exactly these headers; an object as body is sent as JSON. */
export async function send(
  service: TestService,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(new URL(`/admin/api/${path}`, service.origin), {
    method,
    headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const code = typeof parsed['code'] === 'string' ? parsed['code'] : '';
  return { status: response.status, body: parsed, code, headers: response.headers };
}

export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(
    readonly service: TestService,
    private readonly headers: Record<string, string> = {},
  ) {}

  async logIn(user = 'admin', password: string = ADMIN_PASSWORD): Promise<number> {
    return (await this.send('POST', 'session', { user, password })).status;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await send(this.service, method, path, {
      headers: { ...SAME_ORIGIN, ...this.headers, cookie: this.cookie, ...headers },
      body,
    });
    for (const cookie of answer.headers.getSetCookie()) this.take(cookie);
    return answer;
  }

  /** Returns the signed-in user as the service reports it; null when there is none. */
  async user(): Promise<unknown> {
    const { status, body } = await this.send('GET', 'session');
    return status === 200 ? body['user'] : null;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The name and value of the session cookie. */
  get session(): [name: string, token: string] {
    return [...this.cookies].find(([name]) => !name.endsWith('_device')) ?? ['', ''];
  }

  get device(): [name: string, value: string] {
    return [...this.cookies].find(([name]) => name.endsWith('_device')) ?? ['', ''];
  }

  set(name: string, value: string): this {
    this.cookies.set(name, value);
    return this;
  }

  private take(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
