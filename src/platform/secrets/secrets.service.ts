import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretStore } from './secret.store.js';

/** Returns secrets that the service generates on first use. */
@Injectable()
export class SecretsService {
  constructor(private readonly store: SecretStore) {}

  /** Returns 32 random bytes stored under a name, the same in every process; generates them when missing. */
  async get(name: string): Promise<Buffer> {
    const { value } = await this.getOrCreate(name, async () => randomBytes(32).toString('base64'));
    return Buffer.from(value, 'base64');
  }

  /** Returns the stored secret; `created` tells whether this call created it. */
  async getOrCreate(name: string, create: () => Promise<string>): Promise<{ value: string; created: boolean }> {
    const existing = await this.store.find(name);
    if (existing !== undefined) return { value: existing, created: false };
    const created = await this.store.addIfAbsent(name, await create(), new Date());
    const value = await this.store.find(name);
    if (value === undefined) throw new Error(`the secret ${name} was deleted while it was being created`);
    return { value, created };
  }

  /** Returns the bytes of a secret; null when it does not exist yet. */
  async find(name: string): Promise<Buffer | null> {
    const value = await this.store.find(name);
    return value === undefined ? null : Buffer.from(value, 'base64');
  }

  async forget(name: string): Promise<void> {
    await this.store.delete(name);
  }
}
