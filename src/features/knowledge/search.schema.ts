import { IsArray, IsOptional, IsString } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Nested } from '#skill-kit';
import { Flag, Integer, OneOf, Tags, Text } from '../../core/skills/skill-fields.decorators.js';
import { LONGEST_GIVEN } from '../../platform/text/search-lacks.rules.js';
import type { Match } from './documents/document.js';
import { MAX_PASSAGE } from './passages/cuts.rules.js';

export const DEFAULT_HITS = 8;

export class KnowledgeSearchInput {
  @Text(
    'A question or words, such as "How do I roll back a release?" or "rollback release", the first 1000 characters of it are searched for. By default, the newest documents are returned.',
    { min: 1, max: LONGEST_GIVEN, optional: true },
  )
  query?: string;

  @Tags('Only documents that have all of these tags, such as ["ops"]. By default, whatever their tags are.')
  tags?: string[];

  @Text(
    'Without a query: only documents changed before this one, such as "knowledge://documents/deploy-day", to continue after it. By default, from the newest.',
    { min: 1, max: 2048, optional: true },
  )
  before?: string;

  @Integer('How many documents to return, 1 to 50, for example 20.', {
    min: 1,
    max: 50,
    optional: true,
    default: DEFAULT_HITS,
  })
  limit?: number;

  @Integer(`Longest passage to return, in characters, from 100; none has more than ${MAX_PASSAGE}. For example 500.`, {
    min: 100,
    max: 10_000,
    optional: true,
    default: MAX_PASSAGE,
  })
  max_characters?: number;
}

export class FurtherPassage {
  @Text('Address of the passage: resource_read reads it.')
  passage_uri!: string;

  @Text('The headings that the passage stands under.')
  section!: string;

  @Text('Markdown, as it stands in the document.')
  passage!: string;

  @Flag('Whether only a part of the passage is returned.')
  truncated!: boolean;
}

export class KnowledgeSearchHit {
  /** URI of the document. */
  @IsString() uri!: string;
  @Text('Address of the passage: resource_read reads it.')
  passage_uri!: string;

  @IsString() id!: string;
  @Integer('Of the document: knowledge_save takes it.')
  version!: number;

  @IsString() title!: string;
  @Text('The headings that the passage stands under.')
  section!: string;

  @Text('What the passage continues and does not repeat, such as the head of its table.', { optional: true })
  continues?: string;

  @Text('Markdown, as it stands in the document.')
  passage!: string;

  @Flag('Whether only a part of the passage is returned.')
  truncated!: boolean;

  @JSONSchema({
    description:
      'The next best passage of the document; only of the first document, and unless the next document answers better.',
  })
  @IsOptional()
  @Nested(() => FurtherPassage)
  also?: FurtherPassage;

  @Text('Headings of the passage before this one; missing when it is the first.', { optional: true })
  previous?: string;

  @Text('Headings of the passage after this one; missing when it is the last.', { optional: true })
  next?: string;

  @OneOf(
    'Whether the passage has all words of the query, some of them, or is similar in meaning; listed: there was no query.',
    ['all', 'some', 'meaning', 'listed'],
  )
  match!: Match;

  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsString() updated!: string;
}

export class KnowledgeSearchResult {
  @Nested(() => KnowledgeSearchHit, { each: true }) hits!: KnowledgeSearchHit[];
  @Text('How many there are, and what to do next.')
  hint!: string;
}
