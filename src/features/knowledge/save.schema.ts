import { IsIn, IsString } from 'class-validator';
import { Integer, Tags, Text, Texts } from '../../core/skills/skill-fields.decorators.js';
import type { SaveOutcome } from './documents/document.js';
import { type DocumentAddress, documentAddress } from './documents/address.rules.js';
import { MAX_CONTENT, MAX_TITLE } from './documents/document.rules.js';
import { InvalidDocument } from './documents/knowledge.errors.js';

const LONGEST_ADDRESS = 2048;

/** A document of the knowledge base, by either of its names. */
export class NamedDocument {
  @Text(
    'Address of the document, as results name it, such as "knowledge://documents/deploy-day". By default the id says which.',
    { min: 1, max: LONGEST_ADDRESS, optional: true },
  )
  uri?: string;

  @Text('Id of the document, such as "deploy-day". By default the uri says which.', {
    min: 1,
    max: LONGEST_ADDRESS,
    optional: true,
  })
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
  @Text(
    'Title that people would look for, such as "How we deploy", at most 300 characters. By default, a document that is replaced keeps its title; a new one needs one.',
    { min: 1, max: MAX_TITLE, optional: true },
  )
  title?: string;

  @Text(
    'The whole text as Markdown, such as "# How we deploy\\n\\n1. ...", at most 1,000,000 characters. It replaces the text of a document that is named.',
    { min: 1, max: MAX_CONTENT },
  )
  content!: string;

  @Tags(
    'Words to find it by, such as ["ops", "release"]. By default, a document that is replaced keeps its tags; [] takes them away.',
  )
  tags?: string[];

  @Integer(
    'The version of the document that the content is based on, such as 3: if somebody has changed the document since, ' +
      'nothing is saved. Results of knowledge_search and knowledge_save name it. By default, any version is replaced.',
    { min: 1, max: 2_000_000_000, optional: true },
  )
  version?: number;
}

export class KnowledgeSaveResult {
  @IsString() uri!: string;
  @IsString() id!: string;
  @IsString() title!: string;
  @Integer('Of the document as it is now.')
  version!: number;

  @IsIn(['created', 'updated', 'unchanged']) outcome!: SaveOutcome;
  @Texts('URIs of other documents with the same title.')
  sameTitle!: string[];

  @Text('What was done, and what to do next.')
  hint!: string;
}

export class KnowledgeEditInput extends NamedDocument {
  @Text(
    'Address of one passage, as knowledge_search returns it, such as "knowledge://documents/deploy-day#passage-3": only this passage is changed, and version must be given. By default, all of the document may be.',
    { min: 1, max: LONGEST_ADDRESS, optional: true },
  )
  passage_uri?: string;

  @Text(
    'Text to replace, exactly as it stands there, such as "on Tuesdays": it must occur once. By default, the whole passage of passage_uri is replaced.',
    { min: 1, max: MAX_CONTENT, optional: true },
  )
  old_text?: string;

  @Text(
    'Text that takes its place, exactly as given, such as "on Fridays"; "" removes. By default, nothing is replaced.',
    { max: MAX_CONTENT, optional: true },
  )
  new_text?: string;

  @Text(
    'Markdown to add on a new line at the end of the document, such as "- 2026-11-23: moved to Fridays"; begin with an empty line for a new paragraph. By default, nothing is added.',
    { min: 1, max: MAX_CONTENT, optional: true },
  )
  append?: string;

  @Integer(
    'The version of the document that you have read, such as 3: if somebody has changed it since, nothing is changed. By default, any version.',
    { min: 1, max: 2_000_000_000, optional: true },
  )
  version?: number;
}
