import type { Migration } from 'kysely/migration';
import { recreateTextIndex } from '../../text/text-index.js';

/** Empties the text index of the memory, whose entries have labels now: the service fills it again when it starts. */
export const textLabels: Migration = {
  async up(db) {
    await recreateTextIndex(db, 'memory_index', 'memory_entries');
  },
};
