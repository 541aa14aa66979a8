import { Unanswered } from './model.js';

type Json = Record<string, unknown>;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const LIMIT_MS = 60_000;
/** The service reports that it is temporarily unavailable, or that the key has been replaced. */
const NOT_NOW: ReadonlySet<number> = new Set([401, 503]);
const NOT_NOW_EVEN_WITH_A_WRONG_KEY: ReadonlySet<number> = new Set([503]);

interface Answer {
  status: number;
  body: Json;
  sessionId: string | null;
}

/** A client of the endpoint and the REST API. */
export class Door {
  constructor(
    readonly origin: string,
    private readonly password: string,
    public key: string,
  ) {}

  /** @throws Unanswered; Error when the service rejects a valid request */
  async admin(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
    const authorization = `Basic ${Buffer.from(`admin:${this.password}`).toString('base64')}`;
    const answer = await this.send(`/admin/api/${path}`, method, { authorization }, body);
    if (answer.status >= 400 && answer.status !== 404) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** @throws Unanswered, also when the tool reports a failure */
  async call(name: string, args: Json): Promise<Json> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: META } };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
    const { body } = await this.mcp('POST', headers, message);
    const { result } = body as { result?: Json & { isError?: boolean } };
    if (!result || result.isError) throw new Unanswered(JSON.stringify(body).slice(0, 300));
    return result;
  }

  /** Returns true if the service accepts a key. @throws Unanswered */
  async takes(key: string): Promise<boolean> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
    const headers = {
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    };
    const { status } = await this.send('/mcp', 'POST', headers, message, NOT_NOW_EVEN_WITH_A_WRONG_KEY);
    return status === 200;
  }

  /** @throws Unanswered */
  async mcp(method: string, headers: Record<string, string>, message?: unknown): Promise<Answer> {
    const accept = 'application/json, text/event-stream';
    return this.send('/mcp', method, { authorization: `Bearer ${this.key}`, accept, ...headers }, message);
  }

  private async send(
    path: string,
    method: string,
    headers: Record<string, string>,
    body?: unknown,
    notNow = NOT_NOW,
  ): Promise<Answer> {
    try {
      const response = await fetch(this.origin + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const text = await response.text();
      if (notNow.has(response.status)) throw new Unanswered(`${response.status} ${text.slice(0, 300)}`);
      const json = text === '' ? {} : (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Json);
      return { status: response.status, body: json, sessionId: response.headers.get('mcp-session-id') };
    } catch (error) {
      // The connection broke, or the response was truncated. Compared by name: under Jest, fetch throws errors of another
      // realm.
      const { name } = Object(error) as { name?: unknown };
      if (name === 'TypeError' || name === 'SyntaxError') throw new Unanswered(String(error));
      throw error;
    }
  }
}
