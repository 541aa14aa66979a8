import type { TagCount } from '../../../features/knowledge/collection/document-count.store.js';
import type {
  ChangedDocument,
  ChangeOutcome,
} from '../../../features/knowledge/collection/document-collection.service.js';
import { MAX_TAG } from '../../../platform/text/words.rules.js';
import { Amount, Integer, OneOf, Parts, Tags, Text } from '../api/fields.decorators.js';

/** Documents that one request changes. */
const MAX_DOCUMENTS = 100;
const MAX_ID = 200;

export class CountQuery {
  @Text({ max: MAX_TAG, optional: true, says: 'Tag to count documents of.' }) tag?: string;
}

export class DocumentCount {
  @Amount({ says: 'Number of all documents.' }) documents!: number;
  @Amount({ says: 'Number of documents with the tag; all documents without a tag.' }) matching!: number;
}

export class TagsQuery {
  @Text({ max: MAX_TAG, optional: true, says: 'Part of a tag.' }) q?: string;
  @Integer({ min: 1, max: 100, fromText: true, optional: true, default: 20 }) limit: number = 20;
}

export class TagItem implements TagCount {
  @Text() tag!: string;
  @Amount({ says: 'Number of documents with the tag.' }) documents!: number;
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
