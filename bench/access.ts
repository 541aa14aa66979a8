import { randomBytes } from 'node:crypto';
import type { Target } from './load/wire.js';

const PASSWORD = randomBytes(18).toString('base64url');
/** The environment variables with which `Access` can administer a server under test. */
export const ACCESS_ENV = { ADMIN_PASSWORD: PASSWORD };

/** Administers a server under test: creates clients, accounts, policies and skill modules. */
export class Access {
  constructor(private readonly target: Target) {}

  /** Creates clients in these groups, each with a key. */
  async clients(count: number, groups: string[] = []): Promise<Target[]> {
    const made: Target[] = [];
    for (let number = 0; number < count; number += 1) {
      const { key } = await this.post<{ key: string }>('clients', { name: `client-${number}`, groups });
      made.push({ ...this.target, key });
    }
    return made;
  }

  async policies(texts: readonly string[]): Promise<void> {
    for (const [number, policy] of texts.entries())
      await this.post('policies', { name: `policy-${number}`, policy, enabled: true });
  }

  /** Uploads a skill module. */
  async module(file: string, code: string): Promise<void> {
    await this.post('skill-modules', { file, code });
  }

  /** Creates an account for a person. */
  async account(account: { name: string; role: string; password: string }): Promise<void> {
    await this.post('administrators', account);
  }

  private async post<T>(path: string, body: object): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${this.target.port}/admin/api/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
