import { Agent, request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Answer } from './complaints.js';
import type { Inventory, OpenApiDocument } from './operations.js';
import type { WrittenRequest } from './written-request.js';

const PATIENCE_MS = 60_000;
/** The longest lockout that the failed logins of a whole fuzz run cause. */
const LOCKED_OUT_S = 90;

/** A client of the admin API of a server under test. */
export class AdminDoor {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly authorization: string;

  constructor(
    readonly port: number,
    password: string,
  ) {
    this.authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  }

  close(): void {
    this.agent.destroy();
  }

  /** Calls the API as a script; throws unless it succeeds. Waits while logins are locked out after too many failures. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const request: Parameters<AdminDoor['send']>[0] = {
      method,
      url: `/admin/api/${path}`,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
    };
    let answer = await this.send(request);
    for (let tries = 0; answer.status === 429 && tries < LOCKED_OUT_S; tries += 1) {
      await setTimeout(1_000);
      answer = await this.send(request);
    }
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? null : JSON.parse(answer.text);
  }

  async document(): Promise<OpenApiDocument> {
    return (await this.call('GET', 'openapi.json')) as OpenApiDocument;
  }

  async inventory(): Promise<Inventory> {
    const { components } = await this.document();
    const { items: settings } = (await this.call('GET', 'config')) as { items: Inventory['settings'] };
    const { items: skills } = (await this.call('GET', 'skills?source=built-in')) as { items: Inventory['skills'] };
    return { schemas: components.schemas, settings, skills, ids: [] };
  }

  /** Sends a request as written, with the administrator's credentials unless its headers override them. */
  send({ method, url, headers, body }: Omit<WrittenRequest, 'operation'>): Promise<Answer> {
    const length = body && !('transfer-encoding' in headers) ? { 'content-length': String(body.length) } : {};
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest({
        host: '127.0.0.1',
        port: this.port,
        agent: this.agent,
        method,
        path: url,
        headers: { authorization: this.authorization, ...length, ...headers },
        timeout: PATIENCE_MS,
      });
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            contentType: incoming.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body ?? undefined);
    });
  }
}
