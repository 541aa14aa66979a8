import type { MemoryEntry, MemoryVersion, NamespaceSize, SavedMemory } from '../../../features/memory/memory-entry.js';
import {
  KEY,
  MAX_CONTENT,
  MAX_IMPORTANCE,
  memoryUri,
  NAME_RULE,
  NAMESPACE,
} from '../../../features/memory/memory.rules.js';
import { MAX_TAG } from '../../../platform/text/words.rules.js';
import { Amount, Integer, OneOf, Tags, Text, Texts, Time } from '../api/fields.decorators.js';
import { SearchQuery } from '../api/page.schema.js';

export class MemoryQuery extends SearchQuery {
  @Text({ pattern: NAMESPACE, rule: NAME_RULE, optional: true }) namespace?: string;
  @Text({ max: MAX_TAG, optional: true, says: 'Only entries with this tag; ignored when q is given.' }) tag?: string;
}

export class MemoryBody {
  @Text({ min: 1, max: MAX_CONTENT }) content!: string;
  @Tags({ optional: true }) tags?: string[];
  @Integer({ min: 1, max: MAX_IMPORTANCE, optional: true, default: 3 }) importance?: number;

  @Amount({
    min: 0.001,
    max: 36_500,
    optional: true,
    nullable: true,
    says: 'Days until the entry expires; null = never.',
  })
  expiresInDays?: number | null;
}

export class NewMemoryBody extends MemoryBody {
  @Text({ pattern: NAMESPACE, rule: NAME_RULE, optional: true, default: 'shared' }) namespace?: string;
  @Text({ pattern: KEY, rule: NAME_RULE }) key!: string;
}

export class MemoryView implements MemoryEntry {
  @Text({ example: 'memory://shared/deploy-day' }) uri!: string;
  @Text() namespace!: string;
  @Text() key!: string;
  @Text() content!: string;
  @Texts() tags!: readonly string[];
  @Amount({ min: 1, max: MAX_IMPORTANCE }) importance!: number;
  @Text({ says: 'Client whose key saved the entry last.' }) client!: string;
  @Text({ nullable: true, says: 'Name that the program which saved it reports.' }) program!: string | null;
  @Amount({ says: 'Version, incremented with each change; never that of an entry which was removed.' })
  version!: number;
  @Time() createdAt!: Date;
  @Time() updatedAt!: Date;
  @Time({ nullable: true, says: 'Expiry of the entry; null = never.' }) expiresAt!: Date | null;
}

export class SavedMemoryView extends MemoryView {
  @OneOf(['created', 'updated', 'unchanged']) outcome!: SavedMemory['outcome'];
  @Text({ nullable: true, says: 'Key of another entry of the namespace with the same content.' }) sameAs!:
    string | null;
}

export class MemoryVersionView implements MemoryVersion {
  @Amount() version!: number;
  @Text() content!: string;
  @Texts() tags!: readonly string[];
  @Amount() importance!: number;
  @Text() client!: string;
  @Text({ nullable: true, says: 'Name that the program which saved it reports.' }) program!: string | null;
  @Time() savedAt!: Date;
}

export class NamespaceView implements NamespaceSize {
  @Text({ pattern: NAMESPACE }) namespace!: string;
  @Amount({ says: 'Number of entries in the namespace.' }) entries!: number;
}

export function toMemoryView(entry: MemoryEntry): MemoryView {
  const { namespace, key, content, tags, importance, client, program, version, createdAt, updatedAt, expiresAt } =
    entry;
  const uri = memoryUri(entry);
  return { uri, namespace, key, content, tags, importance, client, program, version, createdAt, updatedAt, expiresAt };
}
