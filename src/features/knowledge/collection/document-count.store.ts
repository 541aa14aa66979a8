import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { countRows } from '../../../platform/sql/affected-rows.js';
import { contains, dialectOf } from '../../../platform/sql/dialect.js';

export interface TagCount {
  tag: string;
  documents: number;
}

@Injectable()
export class DocumentCountStore {
  constructor(private readonly database: Database) {}

  count(): Promise<number> {
    return countRows(this.database.longReads.selectFrom('knowledge_documents'));
  }

  /** Returns the tags that contain a text, most used first. @param part empty = all tags */
  async listTags(part: string, limit: number): Promise<TagCount[]> {
    const { longReads } = this.database;
    let query = longReads
      .selectFrom('knowledge_tags')
      .select(({ fn }) => ['tag', fn.countAll<number | string>().as('total')])
      .groupBy('tag')
      .orderBy('total', 'desc')
      .orderBy('tag')
      .limit(limit);
    if (part !== '') query = query.where(contains(dialectOf(longReads), 'tag', part));
    return (await query.execute()).map(({ tag, total }) => ({ tag, documents: Number(total) }));
  }
}
