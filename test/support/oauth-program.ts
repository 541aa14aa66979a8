import { createHash, randomBytes } from 'node:crypto';
import { SignInBrowser } from './sign-in-browser.js';
import { statelessMessage } from '../harness/stateless-message.js';

export interface Tokens {
  access: string;
  refresh: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

let sent = 0;
const nextAddress = () => `10.${(sent += 1) >> 16}.${(sent >> 8) & 255}.${sent & 255}`;
const EVENT_STREAM_AND_JSON = 'application/json, text/event-stream';

/** An OAuth client whose steps a test calls one by one, so that it can change each of them. */
export class OAuthProgram {
  id = '';
  secret: string | null = null;
  readonly verifier = randomBytes(32).toString('base64url');

  constructor(
    private readonly origin: string,
    readonly redirectUri = 'http://127.0.0.1:33418/callback',
  ) {}

  /** Registers with any metadata; adds its own `redirect_uris` by default. */
  async register(metadata: object = {}): Promise<Answer> {
    const answer = await this.send('/oauth/register', { redirect_uris: [this.redirectUri], ...metadata });
    this.id = String(answer.body['client_id']);
    this.secret = (answer.body['client_secret'] as string | undefined) ?? null;
    return answer;
  }

  /** Returns the authorization URL. Parameters that are null are omitted. */
  link(changed: Record<string, string | null> = {}): URL {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url');
    const parameters: Record<string, string | null> = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'a-state',
      ...changed,
    };
    const link = new URL('/oauth/authorize', this.origin);
    for (const [name, value] of Object.entries(parameters)) if (value !== null) link.searchParams.set(name, value);
    return link;
  }

  exchange(back: URL, changed: Record<string, string> = {}): Promise<Answer> {
    return this.token({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...changed,
    });
  }

  refresh(token: string, changed: Record<string, string> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...changed });
  }

  async token(parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const secret = this.secret === null || headers['authorization'] ? {} : { client_secret: this.secret };
    const body = new URLSearchParams({ client_id: this.id, ...secret, ...parameters });
    return answerOf(await fetch(new URL('/oauth/token', this.origin), { method: 'POST', body, headers }));
  }

  /** Runs the whole flow: a user signs in and gives consent. */
  async signIn(user: string, password: string, changed: Record<string, string | null> = {}): Promise<Tokens> {
    if (this.id === '') await this.register();
    const browser = new SignInBrowser(this.origin, user, password);
    const { body } = await this.exchange(await browser.signIn(this.link(changed)));
    return tokensOf(body);
  }

  /** Calls a tool in the stateless era. */
  async call(token: string, path = '/mcp/oauth', name = 'system_info'): Promise<Answer> {
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' } };
    const { headers, body } = statelessMessage(token, 'tools/call', { name, arguments: {}, _meta });
    const answer = await fetch(new URL(path, this.origin), {
      method: 'POST',
      // Rejected requests are rate-limited by address.
      headers: { ...headers, accept: EVENT_STREAM_AND_JSON, 'x-forwarded-for': nextAddress() },
      body,
    });
    return answerOf(answer);
  }

  private async send(path: string, body: object): Promise<Answer> {
    // A new address each time: registrations are rate-limited by address.
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() };
    return answerOf(await fetch(new URL(path, this.origin), { method: 'POST', headers, body: JSON.stringify(body) }));
  }
}

/** @throws Error if the response of the token endpoint has no tokens */
export function tokensOf({ access_token: access, refresh_token: refresh, ...rest }: Answer['body']): Tokens {
  if (typeof access !== 'string' || typeof refresh !== 'string') throw new Error(`no tokens: ${JSON.stringify(rest)}`);
  return { access, refresh };
}

async function answerOf(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : { text };
  return { status: answer.status, headers: answer.headers, body };
}
