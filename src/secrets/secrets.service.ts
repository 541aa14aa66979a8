import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretStore } from './secret.store.js';

/** Secrets that the service makes for itself the first time they are needed. */
@Injectable()
export class SecretsService {
  constructor(private readonly store: SecretStore) {}

  /** 32 random bytes, the same in every process. */
  async get(name: string): Promise<Buffer> {
    const { value } = await this.getOrCreate(name, async () => randomBytes(32).toString('base64'));
    return Buffer.from(value, 'base64');
  }

  /** The stored secret; `created` says whether it is the one made by this call. */
  async getOrCreate(name: string, create: () => Promise<string>): Promise<{ value: string; created: boolean }> {
    const existing = await this.store.find(name);
    if (existing !== undefined) return { value: existing, created: false };
    const created = await this.store.addIfAbsent(name, await create(), new Date());
    const value = await this.store.find(name);
    if (value === undefined) throw new Error(`the secret ${name} vanished while it was read`);
    return { value, created };
  }

  /** The bytes, if there are any yet. */
  async find(name: string): Promise<Buffer | null> {
    const value = await this.store.find(name);
    return value === undefined ? null : Buffer.from(value, 'base64');
  }

  async forget(name: string): Promise<void> {
    await this.store.delete(name);
  }
}
