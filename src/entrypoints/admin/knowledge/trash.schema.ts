import { expiryOf, type RemovedDocument } from '../../../features/knowledge/trash/removed-document.js';
import { Amount, Text, Texts, Time } from '../api/fields.decorators.js';
import { DocumentView } from './knowledge.schema.js';

export class RemovedDocumentView {
  @Text({ says: 'Id of its place in the trash.' }) id!: string;
  @Text({ example: 'deploy-day', says: 'Id that the document had.' }) documentId!: string;
  @Text() title!: string;
  @Texts() tags!: string[];
  @Text({ nullable: true, says: 'Person or program that saved the document.' }) source!: string | null;
  @Text({ nullable: true, says: 'Path of the file that the document was imported from.' }) path!: string | null;
  @Amount({ says: 'Version that was removed.' }) version!: number;
  @Amount({ says: 'Number of earlier versions.' }) versions!: number;
  @Amount({ says: 'Length of the content and of those of the earlier versions.' }) characters!: number;
  @Time() createdAt!: Date;
  @Time() updatedAt!: Date;
  @Time() removedAt!: Date;
  @Text({ nullable: true, says: 'Person or program that removed the document.' }) removedBy!: string | null;
  @Time({ says: 'Time at which it is deleted for good.' }) expiresAt!: Date;
}

export class FullRemovedDocumentView extends RemovedDocumentView {
  @Text({ says: 'Content, as Markdown.' }) content!: string;
}

export class RestoredDocumentView extends DocumentView {
  @Text({ says: 'Former id of the document; differs from `id` if another document has it now.' })
  formerId!: string;

  @Text({ nullable: true, says: 'Former path of the document; restored unless another document has it.' })
  formerPath!: string | null;
}

export const toRemovedView = (removed: RemovedDocument): RemovedDocumentView => ({
  ...removed,
  tags: [...removed.tags],
  expiresAt: expiryOf(removed.removedAt),
});
