import { PartialType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type {
  DocumentVersion,
  DocumentVersionSummary,
  Match,
  SaveOutcome,
} from '../../../features/knowledge/documents/document.js';
import { MAX_CONTENT, MAX_PATH, MAX_TITLE } from '../../../features/knowledge/documents/document.rules.js';
import { IMPORTED_TYPES, type ImportedType } from '../../../features/knowledge/import/file-type.rules.js';
import type { ImportedResult } from '../../../features/knowledge/import/knowledge-import.service.js';
import { MAX_TAG } from '../../../platform/text/words.rules.js';
import { DOCUMENTS_MAX_BYTES } from '../api/body/input.interceptor.js';
import { Amount, Flag, Integer, OneOf, Part, Parts, Tags, Text, Texts, Time } from '../api/fields.decorators.js';
import { SearchQuery } from '../api/page.schema.js';

const MAX_FILES = 500;
/** Length of a file, in characters. An HTML page is longer than the document made from it. */
const MAX_FILE = 10_000_000;

export class KnowledgeQuery extends SearchQuery {
  @Text({ max: MAX_TAG, optional: true, says: 'Only documents with this tag.' }) tag?: string;
}

export class DocumentBody {
  @Text({ min: 1, max: MAX_TITLE }) title!: string;
  @Text({ max: MAX_CONTENT, says: 'Content, as Markdown.' }) content!: string;
  @Tags({ optional: true }) tags?: string[];
}

/** Omitted fields stay unchanged. */
export class DocumentChange extends PartialType(DocumentBody, { skipNullProperties: false }) {}

export class DocumentView {
  @Text() id!: string;
  @Text({ example: 'knowledge://documents/8f3kq2mzr7vd' }) uri!: string;
  @Text() title!: string;
  @Texts() tags!: string[];
  @Text({ nullable: true, says: 'Person or program that saved the document.' }) source!: string | null;
  @Text({ nullable: true, says: 'Path of the file that the document was imported from.' }) path!: string | null;
  @Amount({
    says: 'Version, incremented with each change; never that of a document which was removed from this address. For the header If-Match.',
  })
  version!: number;
  @Time() createdAt!: Date;
  @Time() updatedAt!: Date;
}

class TextRangeView {
  @Amount({ says: 'Start: the number of characters before the range.' }) start!: number;
  @Amount({ says: 'End: the number of characters up to the end of the range.' }) end!: number;
}

export class FoundPassageView {
  @Text({ example: 'knowledge://documents/8f3kq2mzr7vd#passage-3' }) uri!: string;
  @Texts({ says: 'The headings above the passage.' }) section!: string[];
  @Text({ says: 'Text of the passage, as Markdown.' }) content!: string;

  @Amount({ says: 'Start of the passage in the document: the number of characters before it.' })
  start!: number;

  @Parts(TextRangeView, { says: 'Ranges of the found words in the content.' }) matches!: TextRangeView[];
}

export class DocumentListItem extends DocumentView {
  @Part(FoundPassageView, { nullable: true, says: 'The passage that was found.' }) passage!: FoundPassageView | null;

  @OneOf(['all', 'some', 'meaning'], {
    nullable: true,
    says: 'Whether the passage contains all words of the query, some of them, or is close in meaning.',
  })
  match!: Match | null;
}

export class FullDocument extends DocumentView {
  @Text({ says: 'Content, as Markdown.' }) content!: string;
}

export class DocumentsExport {
  @Parts(FullDocument, { says: 'All documents.' }) items!: FullDocument[];
}

class DocumentVersionView {
  @Amount() version!: number;
  @Text() title!: string;
  @Texts() tags!: readonly string[];
  @Text({ nullable: true, says: 'Person or program that saved the document.' }) source!: string | null;
  @Time() savedAt!: Date;
}

export class DocumentVersionItem extends DocumentVersionView implements DocumentVersionSummary {
  @Amount({ says: 'Length of the content.' }) characters!: number;
}

export class FullDocumentVersion extends DocumentVersionView implements DocumentVersion {
  @Text({ says: 'Content, as Markdown.' }) content!: string;
}

export class SavedDocumentView extends FullDocument {
  @OneOf(['created', 'updated', 'unchanged']) outcome!: SaveOutcome;
}

export class ImportedFileBody {
  @Text({
    min: 1,
    max: MAX_PATH,
    example: 'docs/deploy.md',
    says: 'Identifies the document: the name of a folder and the path in it, or only the name of the file.',
  })
  path!: string;

  @ValidateIf(({ base64 }: ImportedFileBody) => (base64 ?? null) === null)
  @Text({ max: MAX_FILE, doc: { required: false }, says: 'The text of the file; or else its bytes, as base64.' })
  content?: string;

  @Text({
    max: DOCUMENTS_MAX_BYTES,
    optional: true,
    nullable: true,
    says: 'The bytes of the file. They determine the format: Markdown, text, HTML, PDF, DOCX, EPUB, or an export of a knowledge base.',
  })
  base64?: string | null;

  @Integer({
    min: 0,
    optional: true,
    nullable: true,
    says: 'Expected version of the document to replace; 0 = none; null = any.',
  })
  version?: number | null;

  @OneOf(IMPORTED_TYPES, {
    optional: true,
    nullable: true,
    says: 'Format of the file; null = determined by the extension of the path.',
  })
  type?: ImportedType | null;
}

export class ImportBody {
  @Parts(ImportedFileBody, { most: MAX_FILES }) files!: ImportedFileBody[];
}

export class ImportedFileView implements ImportedResult {
  @Text({ says: 'Path of the file.' }) file!: string;
  @Text({ says: 'Path of the document: that of the file, or another one in an export.' }) path!: string;
  @OneOf(['created', 'updated', 'unchanged', 'failed']) outcome!: ImportedResult['outcome'];
  @Text({ nullable: true, says: 'Id of the document; null when the file failed.' }) id!: string | null;
  @Text({ nullable: true, says: 'Why the file failed; null when it did not.' }) problem!: string | null;
}

export class PreviewedFileView extends ImportedFileView {
  @Text({ nullable: true, says: 'Title of the resulting document; null when the import fails.' }) title!: string | null;

  @Part(DocumentView, {
    nullable: true,
    says: 'The existing document that it would replace, or that has the same content.',
  })
  present!: DocumentView | null;
}

export class ImportPreview {
  @Parts(PreviewedFileView) files!: PreviewedFileView[];
}

export class ImportReport {
  @Parts(ImportedFileView) files!: ImportedFileView[];
}

export class EmbeddingsView {
  @Flag({ says: 'Whether a model is set; without one, searches match words only.' }) enabled!: boolean;

  @Text({
    nullable: true,
    example: 'text-embedding-3-small @ https://api.openai.com/v1/embeddings',
    says: 'The model in use; null when none is set.',
  })
  space!: string | null;

  @Amount({ says: 'Number of passages.' }) passages!: number;
  @Amount({ says: 'Number of passages that are embedded.' }) embedded!: number;
  @Flag({ says: 'Whether semantic search covers the memory.' }) memoryEnabled!: boolean;
  @Amount({ says: 'Number of entries of the memory; 0 without semantic search in the memory.' }) entries!: number;
  @Amount({ says: 'Number of entries of the memory that are embedded.' }) embeddedEntries!: number;

  @Flag({ says: 'Whether the built-in model is installed, so that the setting knowledge.embeddings can be "builtin".' })
  builtinInstalled!: boolean;
  @Text({ says: 'The command that installs the built-in model, in the folder of the service.' })
  builtinCommand!: string;

  @Text({ nullable: true, says: 'Why embedding has stopped; null when it has not.' }) lastError!: string | null;
  @Time({ nullable: true, says: 'Time of the next attempt; null when none is scheduled.' }) nextTryAt!: Date | null;
  @Text({ nullable: true, says: 'Why searches match words only for now; null when they do not.' })
  searchProblem!: string | null;
}
