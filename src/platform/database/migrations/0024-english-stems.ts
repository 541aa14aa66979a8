import type { Migration } from 'kysely/migration';
import { dialectOf } from '../../sql/dialect.js';
import { mergeInSteps } from '../../text/sqlite-index.js';
import { recreateTextIndex } from '../../text/text-index.js';

/** Empties the text index of the memory, whose words have other stems now: the service fills it again when it starts. */
export const englishStems: Migration = {
  async up(db) {
    await recreateTextIndex(db, 'memory_index', 'memory_entries');
    if (dialectOf(db) === 'sqlite') await mergeInSteps(db, 'knowledge_index');
  },
};
