import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DocumentVersion, DocumentVersionSummary } from './document.js';

const SUMMARY = ['version', 'title', 'tags', 'source', 'saved_at'] as const;

/** Reads earlier versions of documents; the `KnowledgeStore` writes them when it replaces a document. */
@Injectable()
export class DocumentHistoryStore {
  constructor(private readonly database: Database) {}

  /** Returns the earlier versions of a document, latest first. */
  async list(documentId: string): Promise<DocumentVersionSummary[]> {
    const rows = await this.database.longReads
      .selectFrom('knowledge_history')
      .select(SUMMARY)
      .select(({ fn }) => fn<number>('length', ['content']).as('characters'))
      .where('document_id', '=', documentId)
      .orderBy('version', 'desc')
      .execute();
    return rows.map((row) => ({ ...toVersion(row), characters: row.characters }));
  }

  async find(documentId: string, version: number): Promise<DocumentVersion | undefined> {
    const row = await this.database
      .selectFrom('knowledge_history')
      .select([...SUMMARY, 'content'])
      .where('document_id', '=', documentId)
      .where('version', '=', version)
      .executeTakeFirst();
    return row && { ...toVersion(row), content: row.content };
  }
}

interface VersionRow {
  version: number;
  title: string;
  tags: string;
  source: string | null;
  saved_at: string;
}

const toVersion = ({ version, title, tags, source, saved_at }: VersionRow) => ({
  version,
  title,
  tags: JSON.parse(tags) as string[],
  source,
  savedAt: new Date(saved_at),
});
