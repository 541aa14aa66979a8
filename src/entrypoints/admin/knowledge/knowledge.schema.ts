import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { Nested } from '#skill-kit';
import type {
  DocumentVersion,
  DocumentVersionSummary,
  Match,
  SaveOutcome,
} from '../../../features/knowledge/documents/document.js';
import { MAX_CONTENT, MAX_PATH, MAX_TITLE } from '../../../features/knowledge/documents/document.rules.js';
import { IMPORTED_TYPES, type ImportedType } from '../../../features/knowledge/import/imported-file.rules.js';
import type { ImportedResult } from '../../../features/knowledge/import/knowledge-import.service.js';
import { Tags } from '../../../platform/text/tags.schema.js';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { DOCUMENTS_MAX_BYTES } from '../api/body/input.interceptor.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { SearchQuery } from '../api/page.schema.js';

const MAX_FILES = 500;
/** Length of a file, in characters. A page of HTML is longer than the document that is made from it. */
const MAX_FILE = 10_000_000;

export class KnowledgeQuery extends SearchQuery {
  @ApiPropertyOptional({ maxLength: MAX_TAG, description: 'Only documents with this tag.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TAG)
  tag?: string;
}

export class DocumentBody {
  @ApiProperty({ maxLength: MAX_TITLE })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TITLE)
  title!: string;

  @ApiProperty({ maxLength: MAX_CONTENT, description: 'Markdown.' })
  @IsString()
  @MaxLength(MAX_CONTENT)
  content!: string;

  @ApiPropertyOptional({ type: 'array', maxItems: MAX_TAGS, items: { type: 'string', maxLength: MAX_TAG } })
  @MayBeLeftOut()
  @Tags()
  tags?: string[];
}

/** Fields that are left out stay as they are. */
export class DocumentChange extends PartialType(DocumentBody, { skipNullProperties: false }) {}

export class DocumentView {
  @ApiProperty()
  id!: string;

  @ApiProperty({ example: 'knowledge://documents/8f3kq2mzr7vd' })
  uri!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: [String] })
  tags!: string[];

  @ApiProperty({ type: String, nullable: true, description: 'Who or what saved it.' })
  source!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the file that it was imported from.' })
  path!: string | null;

  @ApiProperty({ description: '1 at first; goes up by one with each change. For the header If-Match.' })
  version!: number;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  updatedAt!: Date;
}

class TextRangeView {
  @ApiProperty({ description: 'The number of characters before it.' })
  start!: number;

  @ApiProperty({ description: 'The number of characters up to its end.' })
  end!: number;
}

export class FoundPassageView {
  @ApiProperty({ example: 'knowledge://documents/8f3kq2mzr7vd#passage-3' })
  uri!: string;

  @ApiProperty({ type: [String], description: 'The headings above the passage.' })
  section!: string[];

  @ApiProperty({ description: 'Markdown, as it stands in the document.' })
  content!: string;

  @ApiProperty({ description: 'Where it starts in the content of the document: the number of characters before it.' })
  start!: number;

  @ApiProperty({ type: [TextRangeView], description: 'Where the words that were found are in the content.' })
  matches!: TextRangeView[];
}

export class DocumentListItem extends DocumentView {
  @ApiProperty({ type: FoundPassageView, nullable: true, description: 'The passage that was found.' })
  passage!: FoundPassageView | null;

  @ApiProperty({
    enum: ['all', 'some', 'meaning'],
    nullable: true,
    description: 'Whether the passage contains all words of the query, some of them, or is close in meaning.',
  })
  match!: Match | null;
}

export class FullDocument extends DocumentView {
  @ApiProperty({ description: 'Markdown.' })
  content!: string;
}

class DocumentVersionView {
  @ApiProperty()
  version!: number;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty({ type: String, nullable: true, description: 'Who or what saved it.' })
  source!: string | null;

  @ApiProperty()
  savedAt!: Date;
}

export class DocumentVersionItem extends DocumentVersionView implements DocumentVersionSummary {
  @ApiProperty({ description: 'Length of the content.' })
  characters!: number;
}

export class FullDocumentVersion extends DocumentVersionView implements DocumentVersion {
  @ApiProperty({ description: 'Markdown.' })
  content!: string;
}

export class SavedDocumentView extends FullDocument {
  @ApiProperty({ enum: ['created', 'updated', 'unchanged'] })
  outcome!: SaveOutcome;
}

export class ImportedFileBody {
  @ApiProperty({
    maxLength: MAX_PATH,
    example: 'docs/deploy.md',
    description: 'Identifies the document: the name of a folder and the path in it, or only the name of the file.',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_PATH)
  path!: string;

  @ApiPropertyOptional({ maxLength: MAX_FILE, description: 'The text of the file; or else its bytes, as base64.' })
  @ValidateIf(({ base64 }: ImportedFileBody) => (base64 ?? null) === null)
  @IsString()
  @MaxLength(MAX_FILE)
  content?: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: DOCUMENTS_MAX_BYTES,
    nullable: true,
    description:
      'The bytes of the file. What it is is told by them: Markdown, text, HTML, PDF, DOCX, EPUB, or an export of a knowledge base.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(DOCUMENTS_MAX_BYTES)
  base64?: string | null;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    nullable: true,
    description: 'The version of the document that the file may replace; 0: none; null: whichever there is.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  version?: number | null;

  @ApiPropertyOptional({
    enum: IMPORTED_TYPES,
    nullable: true,
    description: 'Null: decided by the extension of the path.',
  })
  @IsOptional()
  @IsIn(IMPORTED_TYPES)
  type?: ImportedType | null;
}

export class ImportBody {
  @ApiProperty({ type: [ImportedFileBody], maxItems: MAX_FILES })
  @ArrayMaxSize(MAX_FILES)
  @Nested(() => ImportedFileBody, { each: true })
  files!: ImportedFileBody[];
}

export class ImportedFileView implements ImportedResult {
  @ApiProperty({ description: 'Path of the file.' })
  file!: string;

  @ApiProperty({ description: 'Path of the document: that of the file, or another one in an export.' })
  path!: string;

  @ApiProperty({ enum: ['created', 'updated', 'unchanged', 'failed'] })
  outcome!: ImportedResult['outcome'];

  @ApiProperty({ type: String, nullable: true, description: 'Id of the document; null when the file failed.' })
  id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the file failed; null when it did not.' })
  problem!: string | null;
}

export class PreviewedFileView extends ImportedFileView {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of the document that it would become; null when it fails.',
  })
  title!: string | null;

  @ApiProperty({
    type: DocumentView,
    nullable: true,
    description: 'The document that it would replace, or that says the same already.',
  })
  present!: DocumentView | null;
}

export class ImportPreview {
  @ApiProperty({ type: [PreviewedFileView] })
  files!: PreviewedFileView[];
}

export class ImportReport {
  @ApiProperty({ type: [ImportedFileView] })
  files!: ImportedFileView[];
}

export class EmbeddingsView {
  @ApiProperty({
    description: 'Whether a model is set; without one, searches go by words only.',
  })
  enabled!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'text-embedding-3-small @ https://api.openai.com/v1/embeddings',
    description: 'The model in use; null when none is set.',
  })
  space!: string | null;

  @ApiProperty({ description: 'Number of passages.' })
  passages!: number;

  @ApiProperty({ description: 'Number of passages that are embedded.' })
  embedded!: number;

  @ApiProperty({ description: 'Whether the memory is searched by meaning, too.' })
  memoryEnabled!: boolean;

  @ApiProperty({ description: 'Number of entries of the memory; 0 when it is not searched by meaning.' })
  entries!: number;

  @ApiProperty({ description: 'Number of entries of the memory that are embedded.' })
  embeddedEntries!: number;

  @ApiProperty({
    description: 'Whether the built-in model is installed, so that the setting knowledge.embeddings can be "builtin".',
  })
  builtinInstalled!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why embedding has stopped; null when it has not.' })
  lastError!: string | null;

  @ApiProperty({ type: Date, nullable: true, description: 'When it is tried again; null when it is not waiting.' })
  nextTryAt!: Date | null;
}
