import type { TagCount } from '../../../features/knowledge/collection/document-count.store.js';
import type {
  ChangedDocument,
  ChangeOutcome,
  ManyChange,
} from '../../../features/knowledge/collection/document-collection.service.js';
import type { DocumentMatch, MatchingDocument } from '../../../features/knowledge/collection/document-match.store.js';
import { MAX_TAG } from '../../../platform/text/words.rules.js';
import { Amount, Flag, Integer, OneOf, Parts, Tags, Text } from '../api/fields.decorators.js';
import { PageOf, PageQuery } from '../api/page.schema.js';

/** Documents changed per request. */
const MAX_DOCUMENTS = 100;
const MAX_ID = 200;

const Q = { max: 1000, optional: true, says: 'Only documents with all of these words in one passage.' } as const;
const TAG = { max: MAX_TAG, optional: true, says: 'Only documents with this tag.' } as const;

export class CountQuery {
  @Text(Q) q?: string;
  @Text(TAG) tag?: string;
}

export class MatchingQuery extends PageQuery {
  @Text(Q) q?: string;
  @Text(TAG) tag?: string;
}

export class DocumentCount {
  @Amount({ says: 'Number of all documents.' }) documents!: number;
  @Amount({ says: 'Number of documents with the words and the tag.' }) matching!: number;
}

export class TagsQuery {
  @Text({ max: MAX_TAG, optional: true, says: 'Part of a tag.' }) q?: string;
  @Integer({ min: 1, max: 100, fromText: true, optional: true, default: 20 }) limit: number = 20;
}

class TagItem implements TagCount {
  @Text() tag!: string;
  @Amount({ says: 'Number of documents with the tag.' }) documents!: number;
}

export class TagPage extends PageOf(TagItem) {
  @Flag({ says: 'Whether there are more: narrow them with `q`, or raise `limit`.' }) isCut!: boolean;
}

export class SeenDocumentView implements MatchingDocument {
  @Text() id!: string;
  @Text() title!: string;
  @Amount({ says: 'Version, for changeDocuments.' }) version!: number;
}

class SeenDocumentBody {
  @Text({ min: 1, max: MAX_ID }) id!: string;

  @Integer({ min: 1, says: 'Expected version; documents with another version are left unchanged.' })
  version!: number;
}

const CHANGES = ['delete', 'tag'] as const;

export class DocumentsChange {
  @OneOf(CHANGES) change!: (typeof CHANGES)[number];
  @Parts(SeenDocumentBody, { least: 1, most: MAX_DOCUMENTS }) documents!: SeenDocumentBody[];
  @Tags({ optional: true }) addTags?: string[];
  @Tags({ optional: true }) removeTags?: string[];
}

export class ChangedDocumentView implements ChangedDocument {
  @Text() id!: string;
  @Text({ nullable: true, says: 'Title of the document; null when it is unknown.' }) title!: string | null;

  @OneOf(['deleted', 'updated', 'unchanged', 'outdated', 'missing', 'failed'], {
    says: 'Outcome. outdated = the document has another version; missing = it does not exist. These and failed ones are unchanged.',
  })
  outcome!: ChangeOutcome;

  @Amount({ nullable: true, says: 'The current version; null = there is none.' }) version!: number | null;
  @Text({ nullable: true, says: 'Why it was not changed.' }) problem!: string | null;
}

export class ChangeReport {
  @Parts(ChangedDocumentView, { says: 'Documents in the order of the request.' }) documents!: ChangedDocumentView[];
}

export const toChange = ({ change, addTags, removeTags }: Omit<DocumentsChange, 'documents'>): ManyChange =>
  change === 'delete' ? { remove: true } : { remove: false, addTags: addTags ?? [], removeTags: removeTags ?? [] };

export const toMatch = ({ q, tag }: CountQuery): DocumentMatch => ({ query: q || undefined, tag: tag || undefined });
