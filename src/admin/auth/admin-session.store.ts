import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** Stores the browser sessions of administrators by the hash of their token. */
@Injectable()
export class AdminSessionStore {
  constructor(private readonly database: Database) {}

  async create(idHash: string, createdAt: Date, expiresAt: Date): Promise<void> {
    const row = { id_hash: idHash, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
    await this.database.insertInto('admin_sessions').values(row).execute();
  }

  /** Returns when a session expires; undefined when there is no such session. */
  async findExpiry(idHash: string): Promise<Date | undefined> {
    const row = await this.database
      .selectFrom('admin_sessions')
      .select('expires_at')
      .where('id_hash', '=', idHash)
      .executeTakeFirst();
    return row && new Date(row.expires_at);
  }

  async extend(idHash: string, expiresAt: Date): Promise<void> {
    await this.database
      .updateTable('admin_sessions')
      .set({ expires_at: expiresAt.toISOString() })
      .where('id_hash', '=', idHash)
      .execute();
  }

  async delete(idHash: string): Promise<void> {
    await this.database.deleteFrom('admin_sessions').where('id_hash', '=', idHash).execute();
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.database.deleteFrom('admin_sessions').where('expires_at', '<=', now.toISOString()).execute();
  }
}
