import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** The last call of a client: when, from where, and with which program. */
export interface ClientUse {
  at: Date;
  address: string | null;
  /** The name that the program gives itself. */
  program: string;
}

@Injectable()
export class ClientUseStore {
  constructor(private readonly database: Database) {}

  async list(): Promise<Map<string, ClientUse>> {
    const rows = await this.database.selectFrom('client_uses').selectAll().execute();
    return new Map(
      rows.map(({ client, used_at, address, program }) => [client, { at: new Date(used_at), address, program }]),
    );
  }

  /** Records a use, unless a later one is recorded. */
  async save(client: string, { at, address, program }: ClientUse): Promise<void> {
    const use = { used_at: at.toISOString(), address, program };
    await this.database
      .insertInto('client_uses')
      .values({ client, ...use })
      .onConflict((conflict) =>
        conflict.column('client').doUpdateSet(use).where('client_uses.used_at', '<', use.used_at),
      )
      .execute();
  }
}
