import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { Wire } from '../subjects.js';

/** Where to send calls, and with which key. */
export interface Target {
  port: number;
  key: string;
  wire: Wire;
}

export interface Answer {
  status: number;
  sessionId: string | undefined;
  body: string;
}

const ERAS = {
  session: '2025-11-25',
  stateless: '2025-11-25',
  plain: '2025-11-25',
  '2026': '2026-07-28',
} as const;

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': ERAS['2026'],
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** One client of the server under test: one kept-alive connection and, in the 2025 era, one session. */
export class WireClient {
  private nextId = 1;
  private sessionId: string | undefined;

  constructor(
    private readonly target: Target,
    private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 }),
  ) {}

  /** @throws Error when no session can be opened */
  async open(): Promise<void> {
    if (this.target.wire !== 'session') return;
    const params = { protocolVersion: ERAS.session, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
    const { status, sessionId, body } = await this.post('initialize', params);
    if (status !== 200 || !sessionId) throw new Error(`initialize was answered with ${status}: ${body}`);
    this.sessionId = sessionId;
    await this.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /** Calls the trivial tool. @throws Error when the result is wrong: errors must not count as speed */
  async call(tool = 'tool_0'): Promise<void> {
    const id = this.nextId;
    const { status, body } = await this.post('tools/call', { name: tool, arguments: { text: 'hello' } });
    const isRight = status === 200 && body.includes('"text":"constant answer"') && body.includes(`"id":${id}`);
    if (!isRight || body.includes('"isError":true')) throw new Error(`a call was answered with ${status}: ${body}`);
  }

  /** Calls a tool; accepts every response. */
  callTool(name: string, args: object): Promise<Answer> {
    return this.post('tools/call', { name, arguments: args });
  }

  /** Closes the connections. */
  close(): void {
    this.agent.destroy();
  }

  /** Opens a notification stream that stays open. */
  async listen(): Promise<IncomingMessage> {
    if (this.target.wire === 'session') return this.exchange('GET', this.headers(undefined), undefined);
    const params = { _meta: ENVELOPE, notifications: { toolsListChanged: true } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.nextId++, method: 'subscriptions/listen', params });
    return this.exchange('POST', this.headers(body, 'subscriptions/listen'), body);
  }

  private post(method: string, params: { name?: string; [member: string]: unknown }): Promise<Answer> {
    const envelope = this.target.wire === '2026' ? { _meta: ENVELOPE } : {};
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.nextId++, method, params: { ...params, ...envelope } });
    return this.send(body, method, params.name);
  }

  private async send(body: string, method?: string, name?: string): Promise<Answer> {
    const response = await this.exchange('POST', this.headers(body, method, name), body);
    const sessionId = response.headers['mcp-session-id'];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    return {
      status: response.statusCode ?? 0,
      sessionId: typeof sessionId === 'string' ? sessionId : undefined,
      body: text,
    };
  }

  private exchange(
    method: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { port } = this.target;
      send({ host: '127.0.0.1', port, path: '/mcp', method, headers, agent: this.agent }, resolve)
        .on('error', reject)
        .end(body);
    });
  }

  private headers(body: string | undefined, method?: string, name?: string): Record<string, string> {
    const { key, wire } = this.target;
    return {
      Authorization: `Bearer ${key}`,
      Accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      }),
      ...(method !== 'initialize' && { 'MCP-Protocol-Version': ERAS[wire] }),
      ...(wire === '2026' && method && { 'Mcp-Method': method }),
      ...(wire === '2026' && name && { 'Mcp-Name': name }),
      ...(this.sessionId && { 'Mcp-Session-Id': this.sessionId }),
    };
  }
}
