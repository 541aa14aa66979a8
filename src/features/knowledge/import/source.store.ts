import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { SourceElsewhere } from '../documents/knowledge.errors.js';

@Injectable()
export class SourceStore {
  constructor(private readonly database: Database) {}

  /**
   * Starts an import of a folder under a name. A name belongs to the first folder that uses it.
   * @param place absolute path of the folder
   * @param moves true when the name moves to this folder if it belongs to another one
   * @throws SourceElsewhere
   */
  async begin(name: string, place: string, moves: boolean): Promise<void> {
    const at = new Date().toISOString();
    const begun = await this.database
      .insertInto('knowledge_sources')
      .values({ name, place, created_at: at, imported_at: at })
      // One statement, so that only one of two concurrent folders gets the name.
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ imported_at: at, place })
          .where((row) => (moves ? row.lit(true) : row('knowledge_sources.place', '=', place))),
      )
      .returning('place')
      .executeTakeFirst();
    if (!begun) throw new SourceElsewhere(name, (await this.findPlace(name)) ?? 'another folder');
  }

  async findPlace(name: string): Promise<string | undefined> {
    const row = await this.database
      .selectFrom('knowledge_sources')
      .select('place')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.place;
  }
}
