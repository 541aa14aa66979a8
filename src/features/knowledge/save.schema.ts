import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { OptionalTags } from '../../platform/text/tags.schema.js';
import type { SaveOutcome } from './documents/document.js';
import { type DocumentAddress, documentAddress } from './documents/address.rules.js';
import { MAX_CONTENT, MAX_TITLE } from './documents/document.rules.js';
import { InvalidDocument } from './documents/knowledge.errors.js';

const LONGEST_ADDRESS = 2048;

/** A document of the knowledge base, by either of its names. */
export class NamedDocument {
  @JSONSchema({
    description:
      'Address of the document, as results name it, such as "knowledge://documents/deploy-day". By default the id says which.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_ADDRESS)
  uri?: string;

  @JSONSchema({ description: 'Id of the document, such as "deploy-day". By default the uri says which.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_ADDRESS)
  id?: string;
}

/**
 * Returns the named address; undefined when there is none. Of two names, the more specific one, such as a passage.
 * @throws InvalidDocument when the names are of different documents or parts
 */
export function namedAddress({ uri, id }: NamedDocument): DocumentAddress | undefined {
  const names = [uri, id].flatMap((name) => (name === undefined ? [] : documentAddress(name)));
  const [first, second] = names;
  if (!first || !second) return first;
  const parts = names.filter(({ part }) => part !== 'whole');
  const isSamePart = parts.length < 2 || (first.part === second.part && first.passage === second.passage);
  if (first.id !== second.id || !isSamePart)
    throw new InvalidDocument('uri', 'and id name two documents, or parts of one: give one of them');
  return parts[0] ?? first;
}

/** @throws InvalidDocument when there is no name, or two that differ */
export function requiredAddress(named: NamedDocument): DocumentAddress {
  const address = namedAddress(named);
  if (!address)
    throw new InvalidDocument('uri', 'is missing: give the uri of the document, as knowledge_search returns it');
  return address;
}

export class KnowledgeSaveInput extends NamedDocument {
  @JSONSchema({
    description:
      'Title that people would look for, such as "How we deploy", at most 300 characters. By default, a document that is replaced keeps its title; a new one needs one.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TITLE)
  title?: string;

  @JSONSchema({
    description:
      'The whole text as Markdown, such as "# How we deploy\\n\\n1. ...", at most 1,000,000 characters. It replaces the text of a document that is named.',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CONTENT)
  content!: string;

  @JSONSchema({
    description:
      'Words to find it by, such as ["ops", "release"]. By default, a document that is replaced keeps its tags; [] takes them away.',
  })
  @OptionalTags()
  tags?: string[];

  @JSONSchema({
    description:
      'The version of the document that the content is based on, such as 3: if somebody has changed the document since, ' +
      'nothing is saved. Results of knowledge_search and knowledge_save name it. By default, any version is replaced.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_000_000_000)
  version?: number;
}

export class KnowledgeSaveResult {
  @IsString() uri!: string;
  @IsString() id!: string;
  @IsString() title!: string;
  @JSONSchema({ description: 'Of the document as it is now.' })
  @IsInt()
  version!: number;

  @IsIn(['created', 'updated', 'unchanged']) outcome!: SaveOutcome;
  @JSONSchema({ description: 'URIs of other documents with the same title.' })
  @IsArray()
  @IsString({ each: true })
  sameTitle!: string[];

  @JSONSchema({ description: 'What was done, and what to do next.' })
  @IsString()
  hint!: string;
}

export class KnowledgeEditInput extends NamedDocument {
  @JSONSchema({
    description:
      'Address of one passage, as knowledge_search returns it, such as "knowledge://documents/deploy-day#passage-3": only this passage is changed, and version must be given. By default, all of the document may be.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_ADDRESS)
  passage_uri?: string;

  @JSONSchema({
    description:
      'Text to replace, exactly as it stands there, such as "on Tuesdays": it must occur once. By default, the whole passage of passage_uri is replaced.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CONTENT)
  old_text?: string;

  @JSONSchema({
    description:
      'Text that takes its place, exactly as given, such as "on Fridays"; "" removes. By default, nothing is replaced.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CONTENT)
  new_text?: string;

  @JSONSchema({
    description:
      'Markdown to add on a new line at the end of the document, such as "- 2026-11-23: moved to Fridays"; begin with an empty line for a new paragraph. By default, nothing is added.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CONTENT)
  append?: string;

  @JSONSchema({
    description:
      'The version of the document that you have read, such as 3: if somebody has changed it since, nothing is changed. By default, any version.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_000_000_000)
  version?: number;
}
