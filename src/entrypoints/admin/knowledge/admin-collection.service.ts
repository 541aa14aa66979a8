import { Injectable } from '@nestjs/common';
import {
  DocumentCollection,
  type ManyChange,
} from '../../../features/knowledge/collection/document-collection.service.js';
import type { DocumentMatch } from '../../../features/knowledge/collection/document-match.store.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import type { RecordPart } from '../api/recorded-parts.js';
import { SOURCE, toFull } from './admin-knowledge.service.js';
import type {
  ChangeReport,
  CountQuery,
  DocumentCount,
  DocumentsChange,
  MatchingQuery,
  SeenDocumentView,
} from './collection.schema.js';

/** Lists and changes many documents at once, for administrators. */
@Injectable()
export class AdminCollection {
  constructor(private readonly collection: DocumentCollection) {}

  async count(query: CountQuery): Promise<DocumentCount> {
    const documents = await this.collection.count();
    const match = toMatch(query);
    const isAll = match.query === undefined && match.tag === undefined;
    return { documents, matching: isAll ? documents : await this.collection.countMatching(match) };
  }

  listMatching({ limit, cursor, ...query }: MatchingQuery): Promise<Page<SeenDocumentView>> {
    return this.collection.listMatching({ ...toMatch(query), limit, cursor });
  }

  /** Changes documents. Each has a separate entry in the audit log, as if it were changed alone. */
  async change({ documents, ...body }: DocumentsChange, record: RecordPart): Promise<ChangeReport> {
    const action = body.change === 'delete' ? 'deleteDocument' : 'updateDocument';
    const changed = await this.collection.changeAll(documents, toChange(body), {
      source: SOURCE,
      onChanged: (before, after) =>
        record({ action, subject: `knowledge/${before.id}`, before: toFull(before), after: after && toFull(after) }),
    });
    return { documents: changed };
  }
}

const toChange = ({ change, addTags, removeTags }: Omit<DocumentsChange, 'documents'>): ManyChange =>
  change === 'delete' ? { remove: true } : { remove: false, addTags: addTags ?? [], removeTags: removeTags ?? [] };

const toMatch = ({ q, tag }: CountQuery): DocumentMatch => ({ query: q || undefined, tag: tag || undefined });
