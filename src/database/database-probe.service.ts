import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from './database.js';

@Injectable()
export class DatabaseProbe {
  constructor(private readonly database: Database) {}

  /** Whether the database answers a query. */
  async isAnswering(): Promise<boolean> {
    try {
      await sql`select 1`.execute(this.database);
      return true;
    } catch {
      return false;
    }
  }
}
