import type { Migration } from 'kysely/migration';

export const knowledgeAge: Migration = {
  async up(db) {
    await db.schema
      .createIndex('knowledge_documents_created_at')
      .on('knowledge_documents')
      .columns(['created_at', 'id'])
      .execute();
  },
};
