import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Nested } from '#skill-kit';
import { OptionalTags } from '../../platform/text/tags.schema.js';
import { LONGEST_GIVEN } from '../../platform/text/search-lacks.rules.js';
import type { Match } from './documents/document.js';
import { MAX_PASSAGE } from './passages/cuts.rules.js';

export const DEFAULT_HITS = 8;

export class KnowledgeSearchInput {
  @JSONSchema({
    description:
      'A question or words, such as "How do I roll back a release?" or "rollback release", the first 1000 characters of it are searched for. By default, the newest documents are returned.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_GIVEN)
  query?: string;

  @JSONSchema({
    description: 'Only documents that have all of these tags, such as ["ops"]. By default, whatever their tags are.',
  })
  @OptionalTags()
  tags?: string[];

  @JSONSchema({
    description:
      'Without a query: only documents changed before this one, such as "knowledge://documents/deploy-day", to continue after it. By default, from the newest.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  before?: string;

  @JSONSchema({ description: 'How many documents to return, 1 to 50, for example 20.', default: DEFAULT_HITS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  limit?: number;

  @JSONSchema({
    description: `Longest passage to return, in characters, from 100; none has more than ${MAX_PASSAGE}. For example 500.`,
    default: MAX_PASSAGE,
  })
  @IsOptional()
  @IsInt()
  @Min(100)
  @Max(10_000)
  max_characters?: number;
}

export class FurtherPassage {
  @JSONSchema({ description: 'Address of the passage: resource_read reads it.' })
  @IsString()
  passage_uri!: string;

  @JSONSchema({ description: 'The headings that the passage stands under.' })
  @IsString()
  section!: string;

  @JSONSchema({ description: 'Markdown, as it stands in the document.' })
  @IsString()
  passage!: string;

  @JSONSchema({ description: 'Whether only a part of the passage is returned.' })
  @IsBoolean()
  truncated!: boolean;
}

export class KnowledgeSearchHit {
  /** URI of the document. */
  @IsString() uri!: string;
  @JSONSchema({ description: 'Address of the passage: resource_read reads it.' })
  @IsString()
  passage_uri!: string;

  @IsString() id!: string;
  @JSONSchema({ description: 'Of the document: knowledge_save takes it.' })
  @IsInt()
  version!: number;

  @IsString() title!: string;
  @JSONSchema({ description: 'The headings that the passage stands under.' })
  @IsString()
  section!: string;

  @JSONSchema({ description: 'What the passage continues and does not repeat, such as the head of its table.' })
  @IsOptional()
  @IsString()
  continues?: string;

  @JSONSchema({ description: 'Markdown, as it stands in the document.' })
  @IsString()
  passage!: string;

  @JSONSchema({ description: 'Whether only a part of the passage is returned.' })
  @IsBoolean()
  truncated!: boolean;

  @JSONSchema({
    description:
      'The next best passage of the document; only of the first document, and unless the next document answers better.',
  })
  @IsOptional()
  @Nested(() => FurtherPassage)
  also?: FurtherPassage;

  @JSONSchema({ description: 'Headings of the passage before this one; missing when it is the first.' })
  @IsOptional()
  @IsString()
  previous?: string;

  @JSONSchema({ description: 'Headings of the passage after this one; missing when it is the last.' })
  @IsOptional()
  @IsString()
  next?: string;

  @JSONSchema({
    description:
      'Whether the passage has all words of the query, some of them, or is similar in meaning; listed: there was no query.',
  })
  @IsIn(['all', 'some', 'meaning', 'listed'])
  match!: Match;

  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsString() updated!: string;
}

export class KnowledgeSearchResult {
  @Nested(() => KnowledgeSearchHit, { each: true }) hits!: KnowledgeSearchHit[];
  @JSONSchema({ description: 'How many there are, and what to do next.' })
  @IsString()
  hint!: string;
}
