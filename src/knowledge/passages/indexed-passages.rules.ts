import { type IndexedFields, indexedText } from '../../text/words.rules.js';
import type { Document, Passage } from '../document.js';
import { passagesOf } from './passages.rules.js';

/** A passage with the words that it is indexed by. */
export interface IndexedPassage extends Passage {
  words: IndexedFields;
}

export type PassageSource = Pick<Document, 'title' | 'tags' | 'content'>;

/** Splits a document into passages. Each is also indexed by the title and the tags of the document. */
export function indexedPassagesOf(document: PassageSource): IndexedPassage[] {
  const [title, tags] = [indexedText(document.title), indexedText(document.tags.join('\n'))];
  return passagesOf(document.content).map((passage) => {
    const context = [indexedText(passage.headings.join('\n')), tags].filter((words) => words !== '').join(' ');
    return { ...passage, words: { title, context, body: indexedText(passage.content) } };
  });
}
