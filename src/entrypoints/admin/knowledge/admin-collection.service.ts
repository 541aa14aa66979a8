import { Injectable } from '@nestjs/common';
import {
  DocumentCollection,
  type ManyChange,
} from '../../../features/knowledge/collection/document-collection.service.js';
import type { RecordPart } from '../api/recorded-parts.js';
import { SOURCE, toFull } from './admin-knowledge.service.js';
import type { ChangeReport, DocumentCount, DocumentsChange } from './collection.schema.js';

/** Serves administrators who look at many documents, or change many at once. */
@Injectable()
export class AdminCollection {
  constructor(private readonly collection: DocumentCollection) {}

  async count(tag?: string): Promise<DocumentCount> {
    const documents = await this.collection.count();
    return { documents, matching: tag ? await this.collection.count(tag) : documents };
  }

  /** Changes documents. Each has an entry of its own in the audit log, like one that is changed alone. */
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
